import KodamaEvidence

/// The JSON Schema (draft 7) of what `run --json` prints.
///
/// It forbids every key that it does not name; a test holds reports of all kinds against it.
public enum ReportSchema {
    /// The schema, with a line feed at the end.
    public static let text = """
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "A report of kodama run --json",
          "description": "What a set of runs gave. Times are whole nanoseconds, shares parts per million. No clock time, no host, and no path but those the user named: equal runs give equal bytes.",
          "type": "object",
          "required": ["schemaVersion", "material", "isStrict", "scenarios"],
          "additionalProperties": false,
          "properties": {
            "schemaVersion": { "const": \(RunReport.currentSchemaVersion), "description": "Raised when a key changes its meaning or goes away; new keys do not raise it." },
            "material": { "type": "string", "description": "What was heard and coded: voices, packages and codec, with their versions." },
            "isStrict": { "type": "boolean", "description": "Whether warnings fail." },
            "options": { "type": "array", "items": { "type": "string" }, "description": "The arguments besides scenario, point and seed that repeat a run." },
            "scenarios": { "type": "array", "items": { "$ref": "#/definitions/scenario" } },
            "notRun": { "$ref": "#/definitions/texts", "description": "The scenarios that an interruption left undone, with the points where only some are missing; absent if it left none." },
            "tier": { "enum": [\(words(RunReport.Tier.self))], "description": "What the result is good for, if not for everything: of a quick run only what fails counts, of an exploration nothing; absent of a whole run." }
          },
          "definitions": {
        \(definitions)
          }
        }

        """

    static let definitions = [
        scenario, point, gate, invariant, trigger, chain, metric, sample, story, lane, parts,
    ].joined(separator: ",\n")

    private static let scenario = """
            "scenario": {
              "type": "object",
              "required": ["name", "file", "covers", "expected", "warnings", "verdict", "ending", "digest", "points"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "file": { "type": "string", "description": "The scenario's file, as the user named it." },
                "summary": { "type": "string" },
                "covers": { "$ref": "#/definitions/texts" },
                "expected": { "enum": ["pass", "fail"], "description": "Whether the scenario documents that a gate fails." },
                "because": { "type": "string", "description": "Why it is documented to fail." },
                "sweep": {
                  "type": "object",
                  "required": ["names", "isGrid"],
                  "additionalProperties": false,
                  "properties": {
                    "names": { "$ref": "#/definitions/texts" },
                    "isGrid": { "type": "boolean", "description": "Whether the points are all combinations of the values." }
                  }
                },
                "warnings": { "$ref": "#/definitions/texts" },
                "verdict": { "$ref": "#/definitions/verdict" },
                "ending": { "enum": [\(words(ScenarioEnding.self))], "description": "How the scenario ended, held against what it says of itself; passed and failed-as-expected are green, and more runs must tell of an undecided one." },
                "digest": { "$ref": "#/definitions/digest" },
                "points": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/point" } },
                "stories": { "type": "array", "description": "Runs looked at closely; only where pictures were asked for.", "items": { "$ref": "#/definitions/story" } },
                "isPartial": { "type": "boolean", "description": "Whether an interruption left some of its points undone; absent if not." }
              }
            }
        """

    private static let point = """
            "point": {
              "type": "object",
              "description": "One point of a sweep; without a sweep a scenario has one point without values.",
              "required": ["values", "settings", "digest", "durationNanoseconds", "plannedSeeds", "mayFail", "verdict", "gates", "invariants", "metrics", "runs"],
              "additionalProperties": false,
              "properties": {
                "values": {
                  "type": "array",
                  "description": "The swept values, in the order of the sweep.",
                  "items": {
                    "type": "object",
                    "required": ["name", "value"],
                    "additionalProperties": false,
                    "properties": { "name": { "type": "string" }, "value": { "type": "string" } }
                  }
                },
                "preset": { "type": "string" },
                "settings": {
                  "type": "array",
                  "description": "Every parameter that does not have its default.",
                  "items": {
                    "type": "object",
                    "required": ["name", "value", "isOfPreset"],
                    "additionalProperties": false,
                    "properties": { "name": { "type": "string" }, "value": { "type": "string" }, "isOfPreset": { "type": "boolean" } }
                  }
                },
                "digest": { "$ref": "#/definitions/digest", "description": "Of every value of the resolved scenario." },
                "durationNanoseconds": { "type": "integer" },
                "audio": { "enum": ["real", "sized"] },
                "media": { "enum": ["sized", "reachability"] },
                "plannedSeeds": { "type": "integer", "description": "How many seeds the scenario asks for; more or fewer may have been run." },
                "mayFail": { "type": "boolean", "description": "Whether the scenario documents that a gate may fail here." },
                "verdict": { "$ref": "#/definitions/verdict" },
                "gates": { "type": "array", "items": { "$ref": "#/definitions/gate" } },
                "invariants": { "type": "array", "items": { "$ref": "#/definitions/invariant" } },
                "triggers": { "type": "array", "description": "What entries of the timeline wait for; absent if none waits.", "items": { "$ref": "#/definitions/trigger" } },
                "chains": { "type": "array", "description": "Shares that multiply, link by link; absent if there is none.", "items": { "$ref": "#/definitions/chain" } },
                "metrics": { "type": "array", "description": "Every metric with a sample.", "items": { "$ref": "#/definitions/metric" } },
                "runs": {
                  "type": "array",
                  "description": "The runs; all rows named bySeed have their order.",
                  "items": {
                    "type": "object",
                    "required": ["seed", "digest", "components", "broken"],
                    "additionalProperties": false,
                    "properties": {
                      "seed": { "type": "integer", "minimum": 0 },
                      "digest": { "$ref": "#/definitions/digest" },
                      "components": { "type": "object", "additionalProperties": { "$ref": "#/definitions/digest" } },
                      "broken": { "$ref": "#/definitions/texts", "description": "The invariants that the run broke." },
                      "breaks": {
                        "type": "array",
                        "description": "The first break of each rule that allows none, in the order in which they came.",
                        "items": {
                          "type": "object",
                          "additionalProperties": false,
                          "required": ["rule", "instant"],
                          "properties": {
                            "rule": { "type": "string", "description": "The invariant, or the gate's metric." },
                            "instant": { "type": "integer", "description": "In nanoseconds since the run's beginning." },
                            "line": { "type": "string", "description": "The record that shows it." }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
        """

    private static let gate = """
            "gate": {
              "type": "object",
              "required": ["metric", "rule", "figure", "comparison", "limit", "unit", "samples", "samplesNeeded", "verdict", "isGreen", "covers", "bySeed"],
              "additionalProperties": false,
              "properties": {
                "metric": { "type": "string" },
                "meaning": { "type": "string", "description": "What the metric means, where the gate is missed and pictures were asked for." },
                "rule": { "type": "string", "description": "The rule for people." },
                "figure": { "type": "string", "description": "The figure's name, such as p95." },
                "scope": { "type": "string", "description": "Which samples are bounded, if not all." },
                "comparison": { "enum": [\(words(Comparison.self))] },
                "limit": { "type": "integer" },
                "warningLimit": { "type": "integer" },
                "unit": { "$ref": "#/definitions/unit" },
                "value": { "type": "integer", "description": "The figure over all runs; absent if there is none." },
                "interval": { "$ref": "#/definitions/interval" },
                "device": { "type": "string", "description": "Where it is worst, if it must hold at each device." },
                "samples": { "type": "integer" },
                "censored": { "type": "integer", "description": "Occasions that were open when their run ended, or cut off; absent if none was." },
                "excluded": { "type": "integer", "description": "Occasions that were left out; absent if none was." },
                "samplesNeeded": { "type": "integer" },
                "samplesNeededHere": { "type": "integer", "description": "How many of them a quick run needs; absent of any other." },
                "allowsNoData": { "type": "boolean", "description": "Whether no data passes; absent if it does not." },
                "allowsCensored": { "type": "boolean", "description": "Whether what was open counts by its least alone; absent if it does not." },
                "verdict": { "$ref": "#/definitions/verdict" },
                "isGreen": { "type": "boolean", "description": "Whether the gate lets the scenario pass." },
                "noDataReason": { "type": "string" },
                "covers": { "$ref": "#/definitions/texts" },
                "worst": {
                  "type": "object",
                  "description": "The run whose own figure is worst.",
                  "required": ["seed", "value"],
                  "additionalProperties": false,
                  "properties": {
                    "seed": { "type": "integer", "minimum": 0 },
                    "value": { "type": "integer" },
                    "sample": { "$ref": "#/definitions/sample" }
                  }
                },
                "bySeed": { "$ref": "#/definitions/row", "description": "The figure of each run alone." },
                "line": { "type": "integer", "description": "The line in the file, from 1." },
                "file": { "type": "string" }
              }
            }
        """

    private static let invariant = """
            "invariant": {
              "type": "object",
              "required": ["name", "verdict", "checked", "violations"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "verdict": { "$ref": "#/definitions/verdict" },
                "checked": { "type": "integer" },
                "violations": { "type": "integer" },
                "covers": { "$ref": "#/definitions/texts", "description": "Absent if it shows no requirement." },
                "first": {
                  "type": "object",
                  "required": ["line"],
                  "additionalProperties": false,
                  "properties": {
                    "seed": { "type": "integer", "minimum": 0 },
                    "instant": { "type": "integer" },
                    "line": { "type": "string" }
                  }
                }
              }
            }
        """

    private static let chain = """
            "chain": {
              "type": "object",
              "required": ["name", "links", "whole"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string", "description": "What runs through it, in the plural." },
                "links": { "type": "array", "description": "Each share is of what the one before kept.", "items": { "$ref": "#/definitions/link" } },
                "whole": { "$ref": "#/definitions/link", "description": "What the links multiply to." },
                "known": { "$ref": "#/definitions/link", "description": "The same as the app's own analytics would show it." }
              }
            },
            "link": {
              "type": "object",
              "required": ["name", "metric", "part", "whole", "value"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "metric": { "type": "string" },
                "part": { "type": "integer", "description": "How many it kept." },
                "whole": { "type": "integer", "description": "Of how many." },
                "value": { "type": "integer", "description": "The share, rounded down." },
                "interval": { "$ref": "#/definitions/interval" }
              }
            },
            "interval": {
              "type": "object",
              "description": "Between which values the true figure lies, with runs as the unit; an end is absent where the runs bound it nowhere.",
              "additionalProperties": false,
              "properties": {
                "lower": { "type": "integer" },
                "upper": { "type": "integer" },
                "confidence": { "type": "integer", "description": "How likely, at least, in parts per million; 950000 if absent." }
              }
            }
        """

    private static let metric = """
            "metric": {
              "type": "object",
              "required": ["name", "unit", "form", "direction", "samples", "bySeed"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "unit": { "$ref": "#/definitions/unit" },
                "form": { "enum": [\(words(MetricForm.self))] },
                "direction": { "enum": [\(words(MetricDirection.self))], "description": "Which way is better." },
                "samples": { "type": "integer" },
                "censored": { "type": "integer", "description": "Occasions that were open when their run ended, or cut off; absent if none was." },
                "exclusions": {
                  "type": "array",
                  "description": "Why occasions were left out, and how many; absent if none was.",
                  "items": {
                    "type": "object",
                    "required": ["reason", "count"],
                    "additionalProperties": false,
                    "properties": { "reason": { "type": "string" }, "count": { "type": "integer" } }
                  }
                },
                "value": { "type": "integer", "description": "The one number of a count or a share." },
                "figures": {
                  "type": "object",
                  "description": "Of a distribution, by nearest rank.",
                  "required": ["min", "mean", "p50", "p90", "p95", "p99", "p999", "max", "sum"],
                  "additionalProperties": { "type": "integer" }
                },
                "cumulative": {
                  "type": "object",
                  "description": "counts[i] samples lie at or below values[i]; as many points as a picture needs.",
                  "required": ["values", "counts"],
                  "additionalProperties": false,
                  "properties": {
                    "values": { "type": "array", "items": { "type": "integer" } },
                    "counts": { "type": "array", "items": { "type": "integer" } }
                  }
                },
                "worst": { "$ref": "#/definitions/sample", "description": "The worst sample of all runs." },
                "bySeed": {
                  "type": "object",
                  "description": "The figures of each run alone.",
                  "additionalProperties": false,
                  "properties": {
                    "value": { "$ref": "#/definitions/row" },
                    "p50": { "$ref": "#/definitions/row" },
                    "p95": { "$ref": "#/definitions/row" },
                    "max": { "$ref": "#/definitions/row" },
                    "sum": { "$ref": "#/definitions/row" }
                  }
                }
              }
            }
        """

    private static let sample = """
            "sample": {
              "type": "object",
              "description": "When and where in a run a sample arose.",
              "required": ["from", "until"],
              "additionalProperties": false,
              "properties": {
                "seed": { "type": "integer", "minimum": 0 },
                "value": { "type": "integer", "description": "The sample, or what one observation adds to a sum; shares have none." },
                "from": { "type": "integer", "description": "Nanoseconds since the run's beginning." },
                "until": { "type": "integer" },
                "component": { "type": "string" },
                "subject": { "type": "string", "description": "Whom else it concerns." },
                "cause": { "type": "string", "description": "The record that brought it about, as a line of the trace." }
              }
            }
        """

    private static let parts = """
            "verdict": { "enum": [\(words(Verdict.self))] },
            "unit": { "enum": [\(words(MetricUnit.self))], "description": "ns: time; ppm: a share; count: things, or what the metric's name says; mMOS: thousandths of a mean opinion score." },
            "digest": { "type": "string", "pattern": "^[0-9a-f]{16}$" },
            "texts": { "type": "array", "items": { "type": "string" } },
            "row": { "type": "array", "items": { "type": ["integer", "null"] } }
        """

    /// The raw values of an enumeration, as a list of JSON.
    static func words<Words: CaseIterable & RawRepresentable<String>>(
        _ type: Words.Type
    ) -> String {
        type.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }
}

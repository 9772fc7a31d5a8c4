import KodamaEvidence

/// The JSON Schema (draft 7) of what `evaluate --json` prints.
///
/// It forbids every key that it does not name; a test holds an evaluation against it.
public enum EvaluationSchema {
    /// The schema, with a line feed at the end.
    public static let text = """
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "What kodama evaluate --json prints of one setting",
          "description": "One line of JSON; with --look, one for each look. Times are whole nanoseconds, shares parts per million. Equal scenarios, settings and seeds give equal bytes.",
          "type": "object",
          "required": ["schemaVersion", "scenario", "digest", "settings", "seeds", "runsDigest", "verdict", "objectives", "gates", "invariants"],
          "additionalProperties": false,
          "properties": {
            "schemaVersion": { "const": \(Evaluation.currentSchemaVersion), "description": "Raised when a key changes its meaning or goes away; new keys do not raise it." },
            "scenario": { "type": "string" },
            "digest": { "$ref": "#/definitions/digest", "description": "Of every value of the scenario with this setting." },
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
            "seeds": { "type": "array", "minItems": 1, "items": { "type": "integer", "minimum": 0 }, "description": "The runs; all rows named bySeed have their order." },
            "runsDigest": { "$ref": "#/definitions/digest", "description": "Over the traces of all runs." },
            "verdict": { "$ref": "#/definitions/verdict", "description": "The worst of gates, invariants and triggers; objectives do not count." },
            "objectives": {
              "type": "array",
              "minItems": 1,
              "description": "In the order of the options.",
              "items": {
                "type": "object",
                "required": ["metric", "figure", "unit", "direction", "samples", "bySeed"],
                "additionalProperties": false,
                "properties": {
                  "metric": { "type": "string" },
                  "figure": { "type": "string", "description": "Such as p95." },
                  "unit": { "$ref": "#/definitions/unit" },
                  "direction": { "enum": [\(ReportSchema.words(MetricDirection.self))], "description": "Which way is better." },
                  "value": { "type": "integer", "description": "The figure over all runs; absent without a sample." },
                  "interval": { "$ref": "#/definitions/interval", "description": "Absent where too few runs bound it." },
                  "samples": { "type": "integer" },
                  "censored": { "type": "integer", "description": "Occasions that were open when their run ended, or cut off; absent if none was." },
                  "bySeed": { "$ref": "#/definitions/row", "description": "The figure of each run alone." }
                }
              }
            },
            "gates": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["gate"],
                "additionalProperties": false,
                "properties": {
                  "slackPerMille": { "type": "integer", "description": "How far the figure lies within the limit, in thousandths of it; negative beyond it, absent without a figure. Of a limit of 0: 0 at it, else the least or the greatest number of 64 bits." },
                  "gate": { "$ref": "#/definitions/gate" }
                }
              }
            },
            "invariants": { "type": "array", "items": { "$ref": "#/definitions/invariant" } },
            "triggers": { "type": "array", "description": "What entries of the timeline wait for; absent if none waits.", "items": { "$ref": "#/definitions/trigger" } }
          },
          "definitions": {
        \(ReportSchema.definitions)
          }
        }

        """
}

extension ReportSchema {
    static let trigger = """
            "trigger": {
              "type": "object",
              "required": ["event", "component", "count", "firedRuns", "verdict", "column", "file"],
              "additionalProperties": false,
              "properties": {
                "event": { "type": "string", "description": "The kind of record." },
                "component": { "type": "string", "description": "Whom the record is about." },
                "count": { "type": "integer", "description": "Which one of them counts." },
                "firedRuns": { "type": "integer", "description": "In how many runs it came in time." },
                "verdict": { "$ref": "#/definitions/verdict", "description": "no-data if it came in no run, which fails the scenario." },
                "line": { "type": "integer", "description": "The line in the file, from 1." },
                "column": { "type": "integer", "description": "The column in the line, from 1." },
                "file": { "type": "string" }
              }
            }
        """

    /// A run that is looked at closely.
    static let story = """
            "story": {
              "type": "object",
              "required": ["point", "seed", "reason", "durationNanoseconds", "lanes", "omittedLanes", "records", "omittedRecords"],
              "additionalProperties": false,
              "properties": {
                "point": { "type": "integer", "minimum": 0, "description": "The index among the scenario's points." },
                "seed": { "type": "integer", "minimum": 0 },
                "reason": { "type": "string", "description": "Why this run is shown." },
                "durationNanoseconds": { "type": "integer" },
                "samples": { "$ref": "#/definitions/lane", "description": "The samples beyond the limit of the gate that the run is shown for, or the worst one." },
                "account": {
                  "type": "object",
                  "description": "What happened around a miss, in sentences; of many the first and the last.",
                  "required": ["from", "until", "lines"],
                  "additionalProperties": false,
                  "properties": {
                    "from": { "type": "integer" },
                    "until": { "type": "integer" },
                    "lines": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["at", "text"],
                        "additionalProperties": false,
                        "properties": { "at": { "type": "integer" }, "component": { "type": "string" }, "text": { "type": "string" } }
                      }
                    }
                  }
                },
                "opening": {
                  "type": "object",
                  "description": "Where the picture opens: around what the run is shown for.",
                  "required": ["from", "until"],
                  "additionalProperties": false,
                  "properties": { "from": { "type": "integer" }, "until": { "type": "integer" } }
                },
                "lanes": { "type": "array", "items": { "$ref": "#/definitions/lane" } },
                "omittedLanes": { "type": "integer" },
                "attempts": { "$ref": "#/definitions/counts" },
                "records": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["at", "component", "kind", "values"],
                    "additionalProperties": false,
                    "properties": {
                      "at": { "type": "integer" },
                      "component": { "type": "string" },
                      "kind": { "type": "string" },
                      "subject": { "type": "string" },
                      "values": { "type": "string" }
                    }
                  }
                },
                "omittedRecords": { "type": "integer" }
              }
            }
        """

    /// What one component did in it.
    static let lane = """
            "lane": {
              "type": "object",
              "description": "What one component did.",
              "required": ["name", "rows"],
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "rows": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["label", "bands", "marks", "counts"],
                    "additionalProperties": false,
                    "properties": {
                      "label": { "type": "string" },
                      "bands": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["from", "until", "label", "tone"],
                          "additionalProperties": false,
                          "properties": {
                            "from": { "type": "integer" },
                            "until": { "type": "integer" },
                            "label": { "type": "string" },
                            "tone": { "enum": [\(words(RunStory.Tone.self))] }
                          }
                        }
                      },
                      "marks": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["at", "label"],
                          "additionalProperties": false,
                          "properties": { "at": { "type": "integer" }, "label": { "type": "string" } }
                        }
                      },
                      "counts": { "type": "array", "items": { "$ref": "#/definitions/counts" } }
                    }
                  }
                }
              }
            },
            "counts": {
              "type": "object",
              "description": "How many of something there were in each of equal stretches.",
              "required": ["label", "stepNanoseconds", "counts"],
              "additionalProperties": false,
              "properties": {
                "label": { "type": "string" },
                "stepNanoseconds": { "type": "integer" },
                "counts": { "type": "array", "items": { "type": "integer" } }
              }
            }
        """
}

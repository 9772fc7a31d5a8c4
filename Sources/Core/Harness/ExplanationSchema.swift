/// The JSON Schema (draft 7) of what `explain --json` prints.
///
/// It forbids every key that it does not name; a test holds explanations against it.
public enum ExplanationSchema {
    /// The schema, with a line feed at the end.
    public static let text = """
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "An explanation of kodama explain --json",
          "description": "What happened in one run, in order. Times are whole nanoseconds since the run's beginning.",
          "type": "object",
          "required": ["schemaVersion", "scenario", "seed", "digest", "sentences"],
          "additionalProperties": false,
          "properties": {
            "schemaVersion": { "const": 1, "description": "Raised when a key changes its meaning or goes away; new keys do not raise it." },
            "scenario": { "type": "string" },
            "seed": { "type": "integer", "minimum": 0 },
            "digest": { "type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Of the whole run, whatever part of it is explained." },
            "about": {
              "type": "object",
              "description": "The metric of --about; absent without it.",
              "required": ["metric", "unit", "rules", "sampleCount", "samples"],
              "additionalProperties": false,
              "properties": {
                "metric": { "type": "string" },
                "unit": { "type": "string", "description": "What the samples' values count in." },
                "rules": { "type": "array", "items": { "type": "string" }, "description": "The gates whose limits the samples are beyond; where there is none, the samples are the greatest." },
                "sampleCount": { "type": "integer", "description": "How many samples the run gave in all." },
                "samples": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["fromNanoseconds", "untilNanoseconds"],
                    "additionalProperties": false,
                    "properties": {
                      "value": { "type": "integer", "description": "Absent of a share; of an open one the least that it comes to." },
                      "isOpen": { "const": true, "description": "Open when the run ended, or cut off; absent if not." },
                      "fromNanoseconds": { "type": "integer" },
                      "untilNanoseconds": { "type": "integer" },
                      "component": { "type": "string" },
                      "subject": { "type": "string" }
                    }
                  }
                }
              }
            },
            "sentences": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["atNanoseconds", "text"],
                "additionalProperties": false,
                "properties": {
                  "atNanoseconds": { "type": "integer", "minimum": 0 },
                  "component": { "type": "string", "description": "Whom it befalls; absent if it is the whole world." },
                  "text": { "type": "string", "description": "What happens, without the cause." },
                  "sinceCauseNanoseconds": { "type": "integer", "minimum": 0 },
                  "cause": {
                    "type": "object",
                    "required": ["atNanoseconds", "text"],
                    "additionalProperties": false,
                    "properties": {
                      "atNanoseconds": { "type": "integer", "minimum": 0 },
                      "text": { "type": "string", "description": "A clause, such as 'the path was back'." }
                    }
                  }
                }
              }
            }
          }
        }

        """
}

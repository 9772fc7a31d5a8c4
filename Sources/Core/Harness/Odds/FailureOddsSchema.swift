/// The JSON Schema (draft 7) of what `why --json` prints.
///
/// It forbids every key that it does not name; a test holds odds against it.
public enum FailureOddsSchema {
    /// The schema, with a line feed at the end.
    public static let text = """
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "title": "The odds of kodama why --json",
          "description": "How often a run fails that keeps the history up to an instant and has other weather after it. Times are whole nanoseconds since the run's beginning.",
          "type": "object",
          "required": ["schemaVersion", "scenario", "seed", "digest", "failure", "forkCount", "isCertainFromTheBeginning", "points"],
          "additionalProperties": false,
          "properties": {
            "schemaVersion": { "const": 1, "description": "Raised when a key changes its meaning or goes away; new keys do not raise it." },
            "scenario": { "type": "string" },
            "seed": { "type": "integer", "minimum": 0 },
            "digest": { "type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Of the run as it was." },
            "failure": { "type": "string", "description": "What failed: a gate's metric and rule, or an invariant." },
            "forkCount": { "type": "integer", "minimum": 1, "description": "How many runs there are at each instant." },
            "isCertainFromTheBeginning": { "type": "boolean", "description": "Whether it fails as often with all weather drawn anew." },
            "points": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/point" } },
            "leftOut": {
              "type": "array",
              "description": "Where every run fails with all weather drawn anew: each entry, mix of faults and setting left out, and how many of 8 runs failed then.",
              "items": {
                "type": "object",
                "required": ["words", "failureCount"],
                "additionalProperties": false,
                "properties": {
                  "words": { "type": "string" },
                  "failureCount": { "type": "integer", "minimum": 0 }
                }
              }
            },
            "sufficing": {
              "type": "array",
              "description": "Where it fails without any one of them: the entries and mixes of faults that suffice; empty if it fails without all.",
              "items": { "type": "string" }
            },
            "turn": {
              "type": "object",
              "description": "Where it became certain; absent if no one record made it so.",
              "required": ["atNanoseconds", "before", "after", "record", "sentences"],
              "additionalProperties": false,
              "properties": {
                "atNanoseconds": { "type": "integer", "minimum": 0 },
                "before": { "$ref": "#/definitions/point" },
                "after": { "$ref": "#/definitions/point" },
                "record": { "type": "string", "description": "The record as a line of the trace." },
                "sentences": { "type": "array", "items": { "type": "string" }, "description": "What 'explain' says of that instant." }
              }
            }
          },
          "definitions": {
            "point": {
              "type": "object",
              "required": ["atNanoseconds", "failureCount"],
              "additionalProperties": false,
              "properties": {
                "atNanoseconds": { "type": "integer", "minimum": 0, "description": "Up to when, exclusively, the history is kept." },
                "failureCount": { "type": "integer", "minimum": 0 }
              }
            }
          }
        }

        """
}

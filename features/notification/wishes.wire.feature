Feature: What users wish, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @NT-P9.read
  Scenario: Preferences are read by the user's id, on the wire
    When "ana" puts her preferences as {"timezone": "America/Los_Angeles", "categories": {"news": false}}
    Then Cosmos DB was asked for a Upsert of "notification_preferences" in the partition "ana"
    When "ana" looks at her preferences
    Then Cosmos DB was asked for a Read of "notification_preferences" in the partition "ana"

  @NT-R11.preferences
  Scenario Outline: Preferences with <fault> are refused, and nothing is written
    When "ana" sends PUT /preferences with <body>
    Then it is refused as invalid
    And the answer names the field "<field>"
    And Cosmos DB was asked for 0 Upsert of "notification_preferences"

    Examples:
      | fault                    | body                                | field           |
      | an unknown timezone      | {"timezone": "Europe/Atlantis"}     | body.timezone   |
      | a timezone of no place   | {"timezone": "Local"}               | body.timezone   |
      | three quiet hours        | {"quietHours": [true, false, true]} | body.quietHours |
      | a quiet hour that is 1   | {"quietHours": [1]}                 | body.quietHours[0] |

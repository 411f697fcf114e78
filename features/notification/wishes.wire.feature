Feature: Notification preferences, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @NT-P9.read
  Scenario: Preferences are read by the user's id, on the wire
    When "ana" saves her preferences as {"timezone": "America/Los_Angeles", "categories": {"news": false}}
    Then Cosmos DB received an Upsert of "notification_preferences" in the partition "ana"
    When "ana" looks at her preferences
    Then Cosmos DB received a Read of "notification_preferences" in the partition "ana"

  @NT-R11.preferences
  Scenario Outline: Preferences with <fault> are refused, and nothing is written
    When "ana" sends PUT /preferences with <body>
    Then it is refused as invalid
    And the response names the field "<field>"
    And Cosmos DB received 0 Upsert requests of "notification_preferences"

    Examples:
      | fault                    | body                                | field           |
      | an unknown timezone      | {"timezone": "Europe/Atlantis"}     | body.timezone   |
      | a timezone of no place   | {"timezone": "Local"}               | body.timezone   |
      | three quiet hours        | {"quietHours": [true, false, true]} | body.quietHours |
      | a quiet hour that is 1   | {"quietHours": [1]}                 | body.quietHours[0] |

Feature: API keys open the data
  The administrator hands out keys to the fleet, sees when they were used, and takes them back.

  @TL-P10
  Scenario: A key is made active and shown once
    When the administrator makes the API key "fleet"
    And the administrator looks at the key "fleet"
    Then the answer does not show "{fleet}"
    And the answer does not show "{hash of fleet}"

  @TL-P9.order
  Scenario: Keys are listed newest first, without the keys themselves
    Given the administrator makes the API key "first"
    And 1 minute passes
    And the administrator makes the API key "second"
    And 1 minute passes
    And the administrator makes the API key "third"
    When the administrator lists the keys
    Then the list is "third, second, first"
    And the answer does not show "{second}"

  @TL-P9.pages
  Scenario: A long list of keys comes in pages, each key once
    Given the administrator makes 7 API keys
    When the administrator lists the keys in pages of 3
    Then the pages have 3, 3 and 1 keys

  @TL-P8
  Scenario: A key that the administrator made is accepted
    Given the administrator makes the API key "fleet"
    When the key "fleet" is checked
    Then it is accepted

  @TL-P12.refused
  Scenario: A revoked key is refused from then on
    Given the administrator makes the API key "fleet"
    When the administrator revokes the key "fleet"
    And the key "fleet" is checked
    Then it is refused for want of a key

  @TL-P12.unknown
  Scenario: A key that nobody made cannot be revoked
    When the administrator revokes a key that nobody made
    Then it is not found

  @TL-D8
  Scenario: A key whose answer was lost is found as never used, and revoked, and the next one opens the data
    Given the administrator makes the API key "lost"
    And 1 minute passes
    And the administrator makes the API key "second"
    And the key "second" is checked
    When the administrator lists the keys
    Then the list is "second, lost"
    When the administrator looks at the key "lost"
    Then the answer has no "last_used_at"
    When the administrator revokes the key "lost"
    And the key "lost" is checked
    Then it is refused for want of a key
    When the key "second" is checked
    Then it is accepted

  @TL-R11.random
  Scenario: Two keys differ
    Given the administrator makes the API key "first"
    And the administrator makes the API key "second"
    Then "{first}" and "{second}" differ

  @TL-R11.pepper
  Scenario: Without a pepper the service does not start
    When the service starts without a pepper
    Then it does not start and says that it needs "pepper"

  @TL-R11.hashed
  Scenario: With another pepper the old keys are worth nothing
    Given the administrator makes the API key "fleet"
    When the service starts anew with another pepper
    And the key "fleet" is checked
    Then it is refused for want of a key

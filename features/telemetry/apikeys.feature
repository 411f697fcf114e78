Feature: API keys give access to the data
  The administrator creates keys for the fleet, sees when they were used, and revokes them.

  @TL-P10
  Scenario: A new key is active and shown once
    When the administrator creates the API key "fleet"
    And the administrator looks at the key "fleet"
    Then the response does not contain "{fleet}"
    And the response does not contain "{hash of fleet}"

  @TL-P9.order
  Scenario: Keys are listed newest first, without the keys themselves
    Given the administrator creates the API key "first"
    And 1 minute passes
    And the administrator creates the API key "second"
    And 1 minute passes
    And the administrator creates the API key "third"
    When the administrator lists the keys
    Then the list is "third, second, first"
    And the response does not contain "{second}"

  @TL-P9.pages
  Scenario: A long list of keys comes in pages, each key once
    Given the administrator creates 7 API keys
    When the administrator lists the keys in pages of 3
    Then the pages have 3, 3 and 1 keys
    And every key is on one page

  @TL-P8
  Scenario: A key that the administrator created is accepted
    Given the administrator creates the API key "fleet"
    When the key "fleet" is checked
    Then it is accepted

  @TL-P12.refused
  Scenario: A revoked key is refused from then on
    Given the administrator creates the API key "fleet"
    When the administrator revokes the key "fleet"
    And the key "fleet" is checked
    Then it is refused as unauthorized

  @TL-P12.unknown
  Scenario: An unknown key cannot be revoked
    When the administrator revokes an unknown key
    Then it is not found

  @TL-D8
  Scenario: A key whose creation got no response shows as never used and can be revoked
    Given the administrator creates the API key "lost"
    And 1 minute passes
    And the administrator creates the API key "second"
    And the key "second" is checked
    When the administrator lists the keys
    Then the list is "second, lost"
    When the administrator looks at the key "lost"
    Then the response has no "last_used_at"
    When the administrator revokes the key "lost"
    And the key "lost" is checked
    Then it is refused as unauthorized
    When the key "second" is checked
    Then it is accepted

  @TL-R11.random
  Scenario: Two keys differ
    Given the administrator creates the API key "first"
    And the administrator creates the API key "second"
    Then "{first}" and "{second}" differ

  @TL-R11.pepper
  Scenario: Without a pepper the service does not start
    When the service starts without a pepper
    Then it does not start and says that it needs "pepper"

  @TL-R11.hashed
  Scenario: Keys are invalid under another pepper
    Given the administrator creates the API key "fleet"
    When the service restarts with another pepper
    And the key "fleet" is checked
    Then it is refused as unauthorized

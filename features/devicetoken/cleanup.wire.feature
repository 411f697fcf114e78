Feature: Phones that nobody uses any more are cleaned up, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @PE-O6.filter
  Scenario: What was inactive for 30 days is deleted, and nothing else, on the wire
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    And 29 days pass
    And "ana" has registered "new-phone"
    And "ana" logs out on "new-phone"
    And 2 days pass
    And what was asked before is forgotten
    When the cleanup runs
    Then the store was asked for a Scan of "photoeditor-dev-device-tokens", filtered by "isActive = false AND updatedAt < '{cutoff}'"
    And the store was asked for a DeleteItem of "photoeditor-dev-device-tokens" where "deviceId = 'old-phone' AND userId = 'ana'", only if "isActive = false AND updatedAt < '{cutoff}'"
    And the store was never asked for a BatchWriteItem
    And there is no item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'old-phone'"
    And table "photoeditor-dev-device-tokens" holds 2 items

  @PE-O6.filter
  Scenario: The phones of a table of many pages, and of many people, are deleted to the last, on the wire
    Given "ana" has 6 phones of 390 KB that logged out 31 days ago
    And "bob" has 3 phones that logged out 31 days ago
    And "carol" has 3 phones that logged out 31 days ago
    And "dave" has 3 phones that logged out 31 days ago
    When the cleanup runs
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-O6.interrupted
  Scenario: A cleanup that is interrupted goes on where it was, on the wire
    Given "ana" has 40 phones that logged out 31 days ago
    When the cleanup runs, and is cut off after 10 deletions
    And 1 minute passes
    And the cleanup runs
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-O6.spared
  Scenario: A phone that comes back between the search and its deletion stays, on the wire
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs, and meanwhile "ana" registers "old-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'old-phone'" has:
      | isActive | true |

  @PE-O6.twice
  Scenario: Two cleanups at once do the work together, on the wire
    Given "ana" has 30 phones that logged out 31 days ago
    And "bob" has registered "bobs-phone"
    When the cleanup runs in two places at once
    Then the store was asked for 30 times DeleteItem of "photoeditor-dev-device-tokens"
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-O6.twice
  Scenario: A cleanup that was done within the hour is not done again
    Given "ana" has 3 phones that logged out 31 days ago
    And the cleanup runs
    And 59 minutes pass
    And what was asked before is forgotten
    When the cleanup runs
    Then it was done before
    And the store was never asked for a Scan

  @PE-D5.role @needs:commands
  Scenario: The cleanup needs no more than its role
    Given a store that asks who may do what, and the service with its documented policy
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs in its role
    Then it is done: 1 phone was deleted and 0 were kept

Feature: Unused phones are cleaned up, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @PE-O6.filter
  Scenario: Only phones inactive for more than 30 days are deleted, on the wire
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    And 29 days pass
    And "ana" has registered "new-phone"
    And "ana" logs out on "new-phone"
    And 2 days pass
    And earlier requests are ignored
    When the cleanup runs
    Then the store received a Scan of "photoeditor-dev-device-tokens", filtered by "isActive = false AND updatedAt < '{cutoff}'"
    And the store received a DeleteItem of "photoeditor-dev-device-tokens" where "deviceId = 'old-phone' AND userId = 'ana'", only if "isActive = false AND updatedAt < '{cutoff}'"
    And the store received no BatchWriteItem
    And there is no item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'old-phone'"
    And table "photoeditor-dev-device-tokens" holds 2 items

  @PE-O6.filter
  Scenario: The cleanup deletes the phones of many people across many pages, on the wire
    Given "ana" has 6 phones of 390 KB that logged out 31 days ago
    And "bob" has 3 phones that logged out 31 days ago
    And "carol" has 3 phones that logged out 31 days ago
    And "dave" has 3 phones that logged out 31 days ago
    When the cleanup runs
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-O6.interrupted
  Scenario: An interrupted cleanup resumes where it stopped, on the wire
    Given "ana" has 40 phones that logged out 31 days ago
    When the cleanup runs and is interrupted after 10 deletions
    And 1 minute passes
    And the cleanup runs
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-O6.spared
  Scenario: A phone that registers again just before its deletion is kept, on the wire
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs while "ana" registers "old-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'old-phone'" has:
      | isActive | true |

  @PE-O6.twice
  Scenario: Two cleanups at the same time share the work, on the wire
    Given "ana" has 30 phones that logged out 31 days ago
    And "bob" has registered "bobs-phone"
    When the cleanup runs twice at the same time
    Then the store received 30 requests: DeleteItem of "photoeditor-dev-device-tokens"
    And table "photoeditor-dev-device-tokens" holds 1 item

  @PE-O6.twice
  Scenario: A cleanup runs at most once an hour
    Given "ana" has 3 phones that logged out 31 days ago
    And the cleanup runs
    And 59 minutes pass
    And earlier requests are ignored
    When the cleanup runs
    Then it is skipped because it ran recently
    And the store received no Scan

  @PE-D5.role @needs:commands
  Scenario: The cleanup works with the permissions of its role
    Given a store that enforces IAM policies, and the service with its documented policy
    And "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs in its role
    Then it completes: 1 phone was deleted and 0 were kept

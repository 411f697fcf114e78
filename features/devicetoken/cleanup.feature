Feature: Unused phones are cleaned up
  A phone that logged out stays in the table until it expires. The cleanup deletes phones that have been inactive for
  more than 30 days. It can be stopped and started at any time, and can run in two places at once.

  @PE-O6.filter @PE-D10
  Scenario: Only phones inactive for more than 30 days are deleted
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    And 29 days pass
    And "ana" has registered "new-phone"
    And "ana" logs out on "new-phone"
    And 2 days pass
    When the cleanup runs
    Then it completes: 1 phone was deleted and 0 were kept

  @PE-O6.filter
  Scenario: The cleanup deletes the phones of many people across many pages
    Given "ana" has 6 phones of 390 KB that logged out 31 days ago
    And "bob" has 3 phones that logged out 31 days ago
    And "carol" has 3 phones that logged out 31 days ago
    And "dave" has 3 phones that logged out 31 days ago
    When the cleanup runs
    Then it completes: 15 phones were deleted and 0 were kept

  @PE-O6.filter
  Scenario: A phone that logged out exactly 30 days ago is not deleted yet
    Given "ana" has registered "anas-phone"
    And "ana" logs out on "anas-phone"
    And 30 days pass
    When the cleanup runs
    Then it completes: 0 phones were deleted and 0 were kept
    When 1 hour passes
    And the cleanup runs
    Then it completes: 1 phone was deleted and 0 were kept

  @PE-O6.interrupted
  Scenario: An interrupted cleanup resumes where it stopped
    Given "ana" has 40 phones that logged out 31 days ago
    When the cleanup runs and is interrupted after 10 deletions
    Then it is not complete
    And at least 30 phones are left
    When 1 minute passes
    And the cleanup runs
    Then it completes the interrupted run
    And no phone of "ana" is left

  @PE-O6.spared
  Scenario: A phone that registers again just before its deletion is kept
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs while "ana" registers "old-phone"
    Then it completes: 0 phones were deleted and 1 was kept

  @PE-O6.twice
  Scenario: Two cleanups at the same time share the work
    Given "ana" has 30 phones that logged out 31 days ago
    And "bob" has registered "bobs-phone"
    When the cleanup runs twice at the same time
    Then it completes: 30 phones were deleted and 0 were kept

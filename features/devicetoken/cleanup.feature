Feature: Phones that nobody uses any more are cleaned up
  A phone that was logged out on stays in the table until it expires. The cleanup takes out those that nothing was heard of for
  30 days. It may be stopped and started at any moment, and in two places at once.

  @PE-O6.filter @PE-D10
  Scenario: What was inactive for 30 days is deleted, and nothing else
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And "bob" has registered "bobs-phone"
    And 29 days pass
    And "ana" has registered "new-phone"
    And "ana" logs out on "new-phone"
    And 2 days pass
    When the cleanup runs
    Then it is done: 1 phone was deleted and 0 were kept

  @PE-O6.filter
  Scenario: The phones of a table of many pages, and of many people, are deleted to the last
    Given "ana" has 6 phones of 390 KB that logged out 31 days ago
    And "bob" has 3 phones that logged out 31 days ago
    And "carol" has 3 phones that logged out 31 days ago
    And "dave" has 3 phones that logged out 31 days ago
    When the cleanup runs
    Then it is done: 15 phones were deleted and 0 were kept

  @PE-O6.filter
  Scenario: A phone that logged out 30 days ago to the second is not deleted yet
    Given "ana" has registered "anas-phone"
    And "ana" logs out on "anas-phone"
    And 30 days pass
    When the cleanup runs
    Then it is done: 0 phones were deleted and 0 were kept
    When 1 hour passes
    And the cleanup runs
    Then it is done: 1 phone was deleted and 0 were kept

  @PE-O6.interrupted
  Scenario: A cleanup that is interrupted goes on where it was
    Given "ana" has 40 phones that logged out 31 days ago
    When the cleanup runs, and is cut off after 10 deletions
    Then it is not done
    And at least 30 phones are left
    When 1 minute passes
    And the cleanup runs
    Then it is done, in the run that was begun

  @PE-O6.spared
  Scenario: A phone that comes back between the search and its deletion stays
    Given "ana" has registered "old-phone"
    And "ana" logs out on "old-phone"
    And 31 days pass
    When the cleanup runs, and meanwhile "ana" registers "old-phone"
    Then it is done: 0 phones were deleted and 1 was kept

  @PE-O6.twice
  Scenario: Two cleanups at once do the work together
    Given "ana" has 30 phones that logged out 31 days ago
    And "bob" has registered "bobs-phone"
    When the cleanup runs in two places at once
    Then it is done: 30 phones were deleted and 0 were kept

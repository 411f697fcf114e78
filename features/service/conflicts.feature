Feature: Conflicts
  In the cloud requests that meet on one item do not always wait for each other: who meets a transaction in flight is
  refused, and is to try again. With --like-cloud=conflicts that happens here too. A fault holds a transaction in flight for
  as long as a scenario wants.

  Background:
    Given an emulator like the cloud in conflicts
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each

  @SV-X1.write @needs:commands
  Scenario: A write that meets a transaction is refused
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When 1 is added to "ann"
    Then it is refused with TransactionConflictException because "Transaction is ongoing for the item"
    When 1 is added to "cid"
    Then it succeeds
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 11

  @SV-X1.transaction @needs:commands
  Scenario: A transaction that meets another one is cancelled, and says for which item
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When the transfer "U" of 1 from "cid" to "bob" is made
    Then it is cancelled because of "None, TransactionConflict"
    When "bob" and "cid" are read in a transaction
    Then it is cancelled because of "TransactionConflict, None"
    When the item {"id": "bob"} of "accounts" is read consistently
    Then it is {"id": "bob", "has": 10}
    When 1 minute passes
    Then the transfer in flight succeeds
    When the transfer "U" of 1 from "cid" to "bob" is made
    Then it succeeds
    And "ann" has 9, "bob" has 12 and "cid" has 9

  @SV-X1.batch @needs:commands
  Scenario: What meets a transaction in a batch comes back
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When a batch gives 5 to each of "bob" and "cid"
    Then "bob" comes back unprocessed
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 5

  @SV-X2.progress @SV-X2.once @SV-X2.forgotten @needs:commands
  Scenario: The same request is in progress, and then done, and never done twice
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When the transfer "T" of 1 from "ann" to "bob" is made
    Then it is refused with TransactionInProgressException
    When 1 minute passes
    Then the transfer in flight succeeds
    When the transfer "T" of 1 from "ann" to "bob" is made
    Then it succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 10
    When the transfer "T" of 2 from "ann" to "bob" is made
    Then it is refused with IdempotentParameterMismatchException
    When 11 minutes pass
    And the transfer "T" of 1 from "ann" to "bob" is made
    Then it succeeds
    And "ann" has 8, "bob" has 12 and "cid" has 10

  @SV-X3 @needs:commands
  Scenario: Where nothing conflicts, all wait for each other
    Given an emulator
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each
    When 20 transfers of 1 from "ann" to "bob" are made at once
    Then "ann" has -10, "bob" has 30 and "cid" has 10

  @SV-X3 @needs:commands
  Scenario: A write that meets a transaction is done, and so is the transaction
    Given an emulator
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each
    And the transfer "T" of 1 from "ann" to "bob" is in flight
    When 1 is added to "ann"
    Then it succeeds
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 10, "bob" has 11 and "cid" has 10

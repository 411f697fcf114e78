Feature: Conflicts
  In the cloud, requests for the same item do not always wait for each other: a request that conflicts with a running
  transaction is refused and must be retried. With --like-cloud=conflicts the emulator does the same. A fault keeps a
  transaction running for as long as a scenario needs.

  Background:
    Given an emulator with the cloud behaviour conflicts
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each

  @SV-X1.write @needs:commands
  Scenario: A write that conflicts with a transaction is refused
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When 1 is added to "ann"
    Then it is refused with TransactionConflictException because "Transaction is ongoing for the item"
    When 1 is added to "cid"
    Then it succeeds
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 11

  @SV-X1.transaction @needs:commands
  Scenario: A transaction that conflicts with another one is cancelled and names the item
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
  Scenario: A batch returns items that conflict with a transaction as unprocessed
    Given the transfer "T" of 1 from "ann" to "bob" is in flight
    When a batch puts 5 into each of "bob" and "cid"
    Then "bob" is returned as unprocessed
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 5

  @SV-X2.progress @SV-X2.once @SV-X2.forgotten @needs:commands
  Scenario: A repeated transaction token is refused while in progress, and never runs twice
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
    When 9 minutes pass
    And the transfer "T" of 1 from "ann" to "bob" is made
    Then it succeeds
    And "ann" has 9, "bob" has 11 and "cid" has 10
    When 1 minute passes
    And the transfer "T" of 1 from "ann" to "bob" is made
    Then it succeeds
    And "ann" has 8, "bob" has 12 and "cid" has 10

  @SV-X3 @needs:commands
  Scenario: Without conflicts, transactions wait for each other
    Given an emulator
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each
    When 20 transfers of 1 from "ann" to "bob" are made at once
    Then "ann" has -10, "bob" has 30 and "cid" has 10

  @SV-X3 @needs:commands
  Scenario: Without conflicts, a write and a transaction on the same item both succeed
    Given an emulator
    And a table "accounts" with the key "id"
    And the accounts "ann", "bob" and "cid" have 10 each
    And the transfer "T" of 1 from "ann" to "bob" is in flight
    When 1 is added to "ann"
    Then it succeeds
    When 1 minute passes
    Then the transfer in flight succeeds
    And "ann" has 10, "bob" has 11 and "cid" has 10

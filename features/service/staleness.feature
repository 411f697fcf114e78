Feature: Staleness
  In the cloud, an eventually consistent read can return old data, and a query of a global secondary index always can.
  With --like-cloud=lag the emulator does the same: the lag follows from the emulator's seed and clock.

  @SV-E1 @needs:commands
  Scenario: Code that reads its own write through an index fails under lag
    Given an emulator with the cloud behaviour lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And the index "by-customer" of "orders" is queried for "ann"
    Then no item is found
    When 5 seconds pass
    And the index "by-customer" of "orders" is queried for "ann"
    Then 1 item is found

  @SV-T1.reads @needs:commands
  Scenario: The same code passes without lag
    Given an emulator
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And the index "by-customer" of "orders" is queried for "ann"
    Then 1 item is found

  @SV-E2.consistent @needs:commands
  Scenario: A consistent read shows every write at once
    Given an emulator with the cloud behaviour lag
    And a table "orders" with the key "id"
    When the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7"} of "orders" is read consistently
    Then it is {"id": "7", "state": "paid"}
    When the item {"id": "7"} of "orders" is read in a transaction
    Then it is {"id": "7", "state": "paid"}

  @SV-E2.eventual @needs:commands
  Scenario: Some eventually consistent reads show the old state until the replicas catch up
    Given an emulator with the cloud behaviour lag
    And a table "orders" with the key "id"
    When the item {"id": "7", "state": "open"} is put into "orders"
    And 1 second passes
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7"} of "orders" is read 40 times
    Then some reads show the state "open", and the others the state "paid"
    When 1 second passes
    And the item {"id": "7"} of "orders" is read 40 times
    Then all reads show the state "paid"

  @SV-E3.place @needs:commands
  Scenario: An item that moves in an index is in one place at a time
    Given an emulator with the cloud behaviour lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And 5 seconds pass
    And the item {"id": "7", "customer": "bob"} is put into "orders"
    And the index "by-customer" of "orders" is queried for "ann"
    Then 1 item is found
    When the index "by-customer" of "orders" is queried for "bob"
    Then no item is found
    When 5 seconds pass
    And the index "by-customer" of "orders" is queried for "ann"
    Then no item is found
    When the index "by-customer" of "orders" is queried for "bob"
    Then 1 item is found

  @SV-E3.deleted @SV-E2.consistent @needs:commands
  Scenario: A deleted item stays in the index until the index catches up
    Given an emulator with the cloud behaviour lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And 5 seconds pass
    And the item {"id": "7"} of "orders" is deleted
    And the index "by-customer" of "orders" is queried for "ann"
    Then 1 item is found
    When the item {"id": "7"} of "orders" is read consistently
    Then there is no such item
    When 5 seconds pass
    And the index "by-customer" of "orders" is queried for "ann"
    Then no item is found

Feature: Staleness
  In the cloud an eventually consistent read may show what was there a moment ago, and so may a global index, always. With
  --like-cloud=lag it does here too: by a lag from the emulator's seed, on its clock.

  @SV-E1 @needs:commands
  Scenario: Code that reads its own write through an index is caught
    Given an emulator like the cloud in lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And the index "by-customer" of "orders" is asked for "ann"
    Then no item is found
    When 5 seconds pass
    And the index "by-customer" of "orders" is asked for "ann"
    Then 1 item is found

  @SV-T1.reads @needs:commands
  Scenario: The same code passes where nothing lags
    Given an emulator
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And the index "by-customer" of "orders" is asked for "ann"
    Then 1 item is found

  @SV-E2.consistent @needs:commands
  Scenario: A consistent read shows every write at once
    Given an emulator like the cloud in lag
    And a table "orders" with the key "id"
    When the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7"} of "orders" is read consistently
    Then it is {"id": "7", "state": "paid"}
    When the item {"id": "7"} of "orders" is read in a transaction
    Then it is {"id": "7", "state": "paid"}

  @SV-E2.eventual @needs:commands
  Scenario: Of many eventually consistent reads some show the old state, until the news have arrived
    Given an emulator like the cloud in lag
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
  Scenario: An item that moves in an index is in one place at any time
    Given an emulator like the cloud in lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And 5 seconds pass
    And the item {"id": "7", "customer": "bob"} is put into "orders"
    And the index "by-customer" of "orders" is asked for "ann"
    Then 1 item is found
    When the index "by-customer" of "orders" is asked for "bob"
    Then no item is found
    When 5 seconds pass
    And the index "by-customer" of "orders" is asked for "ann"
    Then no item is found
    When the index "by-customer" of "orders" is asked for "bob"
    Then 1 item is found

  @SV-E3.deleted @SV-E2.consistent @needs:commands
  Scenario: An item that was deleted is in the index until it has heard of that
    Given an emulator like the cloud in lag
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    When the item {"id": "7", "customer": "ann"} is put into "orders"
    And 5 seconds pass
    And the item {"id": "7"} of "orders" is deleted
    And the index "by-customer" of "orders" is asked for "ann"
    Then 1 item is found
    When the item {"id": "7"} of "orders" is read consistently
    Then there is no such item
    When 5 seconds pass
    And the index "by-customer" of "orders" is asked for "ann"
    Then no item is found

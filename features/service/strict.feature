Feature: The strict default
  Without --like-cloud, everything takes effect at once and is deterministic, so that a failing test has a clear
  cause.

  @SV-T1.reads @needs:commands
  Scenario: A write is read at once, however it is read
    Given an emulator
    And a table "orders" with the key "id"
    When the item {"id": "7", "state": "paid"} is put into "orders"
    Then it succeeds
    When the item {"id": "7"} of "orders" is read
    Then it is {"id": "7", "state": "paid"}
    When the item {"id": "7"} of "orders" is deleted
    And the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-T1.capacity @needs:commands
  Scenario: A table takes more than its capacity
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 1 read and 1 write a second
    When the item {"id": "1"} is put into "orders"
    And the item {"id": "2"} is put into "orders"
    And the item {"id": "3"} is put into "orders"
    Then it succeeds

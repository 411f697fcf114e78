Feature: Capacity
  With cloud behaviours, a table handles its provisioned capacity, or what an on-demand table has scaled to. Requests
  above that are throttled, with the reason in the response. A throttled write stores nothing.

  @SV-C1.burst @SV-C1.reason @needs:commands
  Scenario: A table has five minutes of unused capacity for bursts
    Given an emulator with the cloud behaviour throttling
    And a table "orders" with the key "id" and a capacity of 10 reads and 2 writes a second
    When 1 hour passes
    And 700 items are put into "orders", one by one
    Then 600 succeed, and the others are throttled with ProvisionedThroughputExceededException for TableWriteProvisionedThroughputExceeded
    And "orders" holds 600 items

  @SV-C1.rate @needs:commands
  Scenario: A table recovers its provisioned capacity each second
    Given an emulator with the cloud behaviour throttling
    And a table "orders" with the key "id" and a capacity of 10 reads and 3 writes a second
    And 10 items are put into "orders", one by one
    And 3 succeed, and the others are throttled with ProvisionedThroughputExceededException for TableWriteProvisionedThroughputExceeded
    When 1 second passes
    And 10 items are put into "orders", one by one
    Then 3 succeed, and the others are throttled with ProvisionedThroughputExceededException for TableWriteProvisionedThroughputExceeded

  @SV-C2.writes @needs:commands
  Scenario: A hot key is throttled while its table has capacity left
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    When the item {"id": "hot"} is put into "carts" 1200 times
    Then 1000 succeed, and the others are throttled with ThrottlingException for TableWriteKeyRangeThroughputExceeded
    When the item {"id": "another"} is put into "carts"
    Then it succeeds

  @SV-C2.reads @needs:commands
  Scenario: A hot key can be read 3,000 times a second
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    When a client sends, 3100 times, a GetItem of "carts" where "id = 'hot'", consistent
    Then 100 of them are refused with ThrottlingException

  @SV-C3.throttled @SV-C3.nothing @needs:commands
  Scenario: An index without capacity throttles writes to its table
    Given an emulator with the cloud behaviour throttling
    And a table "orders" with the key "id" and a capacity of 10 reads and 2 writes a second
    And "orders" has an index "by-state" on "state" with a capacity of 10 reads and 1 write a second
    When the item {"id": "1", "state": "paid"} is put into "orders"
    Then it succeeds
    When the item {"id": "2", "state": "paid"} is put into "orders"
    Then it is throttled for IndexWriteProvisionedThroughputExceeded of the index "by-state"
    When the item {"id": "2"} of "orders" is read
    Then there is no such item
    When the item {"id": "3"} is put into "orders"
    Then it succeeds

  @SV-C4.first @needs:commands
  Scenario: A new on-demand table takes 4,000 writes a second
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    When 4600 items are put into "carts", one by one
    Then about 4000 succeed, and the others are throttled with ThrottlingException for TableWriteKeyRangeThroughputExceeded

  @SV-C4.warmed @needs:commands
  Scenario: A table takes its warm throughput
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    And "carts" is warmed up for 12000 reads and 6000 writes a second
    When 4900 items are put into "carts", one by one
    Then all succeed

  @SV-C5.rest @SV-C5.whole @needs:commands
  Scenario: A batch returns the items that exceed the capacity
    Given an emulator with the cloud behaviour throttling
    And a table "orders" with the key "id" and a capacity of 10 reads and 4 writes a second
    When 10 items are put into "orders" in one batch
    Then it succeeds
    And 6 items of the batch are unprocessed
    When the unprocessed items are sent again
    Then it is refused with ProvisionedThroughputExceededException
    When 2 seconds pass
    And the unprocessed items are sent again
    Then it succeeds
    And "orders" holds 10 items

  @SV-C6 @needs:commands
  Scenario: The heat map shows the hot key
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    When the item {"id": "hot"} is put into "carts" 1100 times
    And 200 items are put into "carts", one by one
    Then the heat map of "carts" has 4 partitions, one of which throttled requests
    And its hottest key is "hot"

  @SV-C7.created @needs:commands
  Scenario: A table cannot be used before it is ACTIVE
    Given an emulator with the cloud behaviour states
    And a table "orders" with the key "id"
    When the item {"id": "1"} is put into "orders"
    Then it is refused with ResourceNotFoundException
    And "orders" is CREATING
    When 10 seconds pass
    Then "orders" is ACTIVE
    When the item {"id": "1"} is put into "orders"
    Then it succeeds

  @SV-C7.changed @needs:commands
  Scenario: A table that is being updated cannot be updated again
    Given an emulator with the cloud behaviour states
    And a table "orders" with the key "id" and a capacity of 1 read and 1 write a second
    And 10 seconds pass
    When the capacity of "orders" is changed to 5 reads and 5 writes a second
    Then it succeeds
    And "orders" is UPDATING
    When the capacity of "orders" is changed to 6 reads and 6 writes a second
    Then it is refused with ResourceInUseException
    When 10 seconds pass
    Then "orders" is ACTIVE

  @SV-C7.deleted @needs:commands
  Scenario: A table that is being deleted can be described but not used
    Given an emulator with the cloud behaviour states
    And a table "orders" with the key "id"
    And 10 seconds pass
    When the table "orders" is deleted
    Then "orders" is DELETING
    When the item {"id": "1"} is put into "orders"
    Then it is refused with ResourceNotFoundException
    When 10 seconds pass
    Then there are no tables

  @SV-C7.decreases @needs:commands
  Scenario: Capacity can be decreased four times in a day, and then once an hour
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 10 reads and 10 writes a second
    And the capacity of "orders" is changed to 9 reads and 9 writes a second
    And the capacity of "orders" is changed to 8 reads and 8 writes a second
    And the capacity of "orders" is changed to 7 reads and 7 writes a second
    And the capacity of "orders" is changed to 6 reads and 6 writes a second
    When the capacity of "orders" is changed to 5 reads and 5 writes a second
    Then it is refused with LimitExceededException because "Number of decreases today: 4"
    When 1 hour passes
    And the capacity of "orders" is changed to 5 reads and 5 writes a second
    Then it succeeds

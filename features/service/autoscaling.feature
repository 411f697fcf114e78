Feature: Auto scaling
  Application Auto Scaling changes the provisioned capacity of a table with its load, and at chosen times, by the
  emulator's clock.

  @SV-C8.out @needs:commands
  Scenario: A table under load gets more capacity
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 5 reads and 5 writes a second
    And the writes of "orders" are scaled between 1 and 12 a second, with a target of 50%
    When 300 items are put into "orders"
    And 1 minute passes
    Then "orders" has a capacity of 5 writes a second
    When 300 items are put into "orders"
    And 1 minute passes
    Then "orders" has a capacity of 10 writes a second
    When 500 items are put into "orders"
    And 1 minute passes
    And 500 items are put into "orders"
    And 1 minute passes
    Then "orders" has a capacity of 12 writes a second

  @SV-C8.in @needs:commands
  Scenario: A table without load gets less capacity
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 5 reads and 20 writes a second
    And the writes of "orders" are scaled between 3 and 20 a second, with a target of 50%
    And 300 items are put into "orders"
    When 14 minutes pass
    Then "orders" has a capacity of 20 writes a second
    When 1 minute passes
    Then "orders" has a capacity of 10 writes a second
    When 15 minutes pass
    Then "orders" has a capacity of 3 writes a second

  @SV-C8.scheduled @SV-C8.kept @needs:commands
  Scenario: A table gets more capacity at a chosen time
    Given an emulator with a data folder
    And a table "orders" with the key "id" and a capacity of 5 reads and 5 writes a second
    And the writes of "orders" are scaled between 1 and 12 a second, with a target of 50%
    And in 8 hours the writes of "orders" are scaled between 30 and 40 a second
    When the emulator is stopped
    And the emulator is started again
    And 7 hours pass
    Then "orders" has a capacity of 1 write a second
    When 1 hour passes
    Then "orders" has a capacity of 30 writes a second

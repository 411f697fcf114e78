Feature: Contributor insights
  Contributor insights show which partition keys use the capacity of a table, and which are throttled.

  @SV-M7.consumed @SV-M7.enabled @needs:commands
  Scenario: The hottest keys are reported
    Given an emulator
    And a table "carts" with the key "id"
    And a table "orders" with the key "id"
    And contributor insights of "carts" are enabled
    When the item {"id": "cold"} is put into "carts"
    And the item {"id": "warm"} is put into "carts" 3 times
    And the item {"id": "hot"} is put into "carts" 2 times
    And the item {"id": "hot"} of "carts" is read consistently
    And the item {"id": "hot"} of "carts" is read consistently
    And the item {"id": "7"} is put into "orders"
    Then the keys of "carts" with the most consumed capacity are "hot 4, warm 3, cold 1"
    And CloudWatch has no rules of "orders"
    When contributor insights of "carts" are disabled
    Then CloudWatch has no rules of "carts"

  @SV-M7.index @needs:commands
  Scenario: The hottest keys of an index are reported
    Given an emulator
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    And contributor insights of the index "by-customer" of "orders" are enabled
    When the item {"id": "1", "customer": "ann"} is put into "orders"
    And the item {"id": "2", "customer": "bob"} is put into "orders"
    And the item {"id": "3", "customer": "bob"} is put into "orders"
    Then the keys of "orders" with the most consumed capacity are "bob 2, ann 1"

  @SV-M7.throttled @needs:commands
  Scenario: Throttled keys are reported
    Given an emulator with the cloud behaviour throttling
    And a table "carts" with the key "id"
    And contributor insights of "carts" are enabled
    When the item {"id": "cold"} is put into "carts"
    And the item {"id": "hot"} is put into "carts" 1100 times
    Then the keys of "carts" with the most throttled requests are "hot 100"

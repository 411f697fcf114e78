Feature: Global tables
  With --regions, regions have tables of their own, and a table has replicas in other regions, as a global table of
  version 2019.11.21 has.

  @SV-U1.apart @needs:commands
  Scenario: A request sees the tables of its region
    Given an emulator with the regions us-east-1, eu-west-1
    And a table "orders" with the key "id"
    Then in eu-west-1 there is no table "orders"

  @SV-U1.items @SV-U1.writes @needs:commands
  Scenario: A replica has all items, and every region sees every write
    Given an emulator with the regions us-east-1, eu-west-1, us-west-2
    And a table "orders" with the key "id"
    And in us-east-1 the order "7" is put with the state "new" into "orders"
    When "orders" gets a replica in eu-west-1
    And "orders" gets a replica in us-west-2
    Then in eu-west-1 "orders" has the order 7 new
    When in eu-west-1 the order "7" is put with the state "paid" into "orders"
    And in us-west-2 the order "8" is put with the state "new" into "orders"
    Then in us-east-1 "orders" has the orders 7 paid, 8 new
    When in us-east-1 the order "8" is deleted from "orders"
    Then in eu-west-1 "orders" has the order 7 paid
    And in us-west-2 "orders" has the order 7 paid

  @SV-U1.last @needs:commands
  Scenario: The last writer wins under lag, even if the other write arrives later
    Given an emulator with lag and the regions us-east-1, eu-west-1
    And a table "orders" with the key "id"
    And "orders" gets a replica in eu-west-1
    When in us-east-1 the order "7" is put with the state "new" into "orders"
    And in eu-west-1 the order "8" is put with the state "new" into "orders"
    Then in eu-west-1 "orders" has the order 8 new
    When 100 milliseconds pass
    And in eu-west-1 the order "7" is put with the state "paid" into "orders"
    And in us-east-1 the order "8" is put with the state "sent" into "orders"
    And 5 seconds pass
    Then in us-east-1 "orders" has the orders 7 paid, 8 sent
    And in eu-west-1 "orders" has the orders 7 paid, 8 sent

  @SV-U1.strong @needs:commands
  Scenario: With strong consistency every region reads the latest write, even under lag
    Given an emulator with lag and the regions us-east-1, eu-west-1, us-west-2
    And a table "orders" with the key "id"
    And "orders" gets strongly consistent replicas in eu-west-1 and us-west-2
    When in eu-west-1 the order "7" is put with the state "paid" into "orders"
    Then in us-east-1 "orders" has the order 7 paid
    And in us-west-2 "orders" has the order 7 paid

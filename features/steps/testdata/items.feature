Feature: Items by generic steps

  Background:
    Given a table "orders" with the key "id" and the index "by-state" on "state"

  Scenario: Items are put, read, changed and deleted
    When the item {"id": "7", "state": "open", "total": 12.50, "lines": [{"pieces": 2}], "gift": null} is put into "orders"
    Then it succeeds
    And it consumed 2 units
    And it consumed 1 unit of the index "by-state"
    When the item {"id": "7"} of "orders" is read consistently
    Then it has:
      | state | 'open'         |
      | total | 12.5           |
      | lines | [{pieces: 2}]  |
    And it has the state "open"
    And it has no "colour"
    When the store is asked for an UpdateItem of "orders" where "id = '7'", setting "SET state = 'paid', total = total + 1 REMOVE lines, gift", only if "total > 12 AND attribute_exists(gift)"
    Then it is {"id": "7", "state": "paid", "total": 13.5}
    When the item {"id": "7"} of "orders" is deleted
    And the item {"id": "7"} of "orders" is read in a transaction
    Then there is no such item

  Scenario: Refusals have a name and a reason
    Given the item {"id": "7"} is put into "orders"
    When the item {"id": "7"} is put into "orders" only if "attribute_not_exists(id)"
    Then it is refused with ConditionalCheckFailedException
    When the item {"state": "open"} is put into "orders"
    Then it is refused with ValidationException because "Missing the key id"
    When the store is asked for a DeleteItem of "orders" where "id = '7'", only if "state = 'open'"
    Then it is refused with ConditionalCheckFailedException because "The conditional request failed"

  Scenario: Items are found by queries and scans
    Given a table "visits" with the key "page" and the sort key "at"
    And these items are put into "visits":
      | page | at   | by  |
      | home | '10' | ann |
      | home | '11' | bob |
      | home | '12' |     |
      | shop | '10' | ann |
    When the store is asked for a Query of "visits" where "page = 'home' AND at BETWEEN '11' AND '12'", descending
    Then the items found are:
      | at   | by  |
      | '12' |     |
      | '11' | bob |
    When the store is asked for a Query of "visits" where "page = 'home'", limit 1, consistent
    Then 1 item is found
    When the store is asked for a Scan of "visits", filtered by "by = 'ann'"
    Then 2 items are found
    When the store is asked for a Query of "visits" where "page = 'none'"
    Then no items are found

  Scenario: Batches and transactions
    When these items are put into "orders" in one batch:
      | id  |
      | '1' |
      | '2' |
    Then 0 of the batch are left
    When the store is asked for a transaction "pay" of:
      | Put of "orders" with {"id": "3"}, only if "attribute_not_exists(id)"       |
      | Update of "orders" where "id = '1'", setting "ADD visits 1"               |
      | Delete of "orders" where "id = '2'"                                        |
    Then it succeeds
    When the store is asked for a transaction of:
      | Update of "orders" where "id = '1'", setting "ADD visits 1"               |
      | Check of "orders" where "id = '9'", only if "attribute_exists(id)"         |
    Then it is cancelled because of "None, ConditionalCheckFailed"
    And table "orders" holds 2 items
    And the item of "orders" where "id = '1'" has:
      | visits | 1 |
    And the item of "orders" where "id = '3'" has no "visits"
    And there is no item of "orders" where "id = '2'"

  Scenario: Of many at once one wins
    When 20 callers at once ask for a PutItem of "orders" with {"id": "1A", "by": {caller}}, only if "attribute_not_exists(id)"
    Then exactly one of them succeeds, and the others are refused with ConditionalCheckFailedException
    And exactly 1 succeeds
    And 19 of them are refused with ConditionalCheckFailedException
    When the store is asked 3 times for an UpdateItem of "orders" where "id = '1A'", setting "ADD visits 1"
    Then all of them succeed

  Scenario: What code asked for
    When the code under test reads the order "7"
    Then the store was asked for a GetItem of "orders" where "id = '7'", consistent
    And the store was never asked for a Scan
    When what was asked before is forgotten
    Then the store was asked for nothing

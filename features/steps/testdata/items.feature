Feature: Items with generic steps

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
    When a client sends an UpdateItem of "orders" where "id = '7'", setting "SET state = 'paid', total = total + 1 REMOVE lines, gift", only if "total > 12 AND attribute_exists(gift)"
    Then it is {"id": "7", "state": "paid", "total": 13.5}
    When the item {"id": "7"} of "orders" is deleted
    And the item {"id": "7"} of "orders" is read in a transaction
    Then there is no such item

  Scenario: Refusals have a code and a message
    Given the item {"id": "7"} is put into "orders"
    When the item {"id": "7"} is put into "orders" only if "attribute_not_exists(id)"
    Then it is refused with ConditionalCheckFailedException
    When the item {"state": "open"} is put into "orders"
    Then it is refused with ValidationException because "Missing the key id"
    When a client sends a DeleteItem of "orders" where "id = '7'", only if "state = 'open'"
    Then it is refused with ConditionalCheckFailedException because "The conditional request failed"

  Scenario: Items are found by queries and scans
    Given a table "visits" with the key "page" and the sort key "at"
    And these items are put into "visits":
      | page | at   | by  |
      | home | '10' | ann |
      | home | '11' | bob |
      | home | '12' |     |
      | shop | '10' | ann |
    When a client sends a Query of "visits" where "page = 'home' AND at BETWEEN '11' AND '12'", descending
    Then the items found are:
      | at   | by  |
      | '12' |     |
      | '11' | bob |
    When a client sends a Query of "visits" where "page = 'home'", limit 1, consistent
    Then 1 item is found
    When a client sends a Scan of "visits", filtered by "by = 'ann'"
    Then 2 items are found
    When a client sends a Query of "visits" where "page = 'none'"
    Then no items are found

  Scenario: Batches and transactions
    When these items are put into "orders" in one batch:
      | id  |
      | '1' |
      | '2' |
    Then 0 items of the batch are unprocessed
    When a client sends a transaction "pay" of:
      | Put of "orders" with {"id": "3"}, only if "attribute_not_exists(id)"       |
      | Update of "orders" where "id = '1'", setting "ADD visits 1"               |
      | Delete of "orders" where "id = '2'"                                        |
    Then it succeeds
    When a client sends a transaction of:
      | Update of "orders" where "id = '1'", setting "ADD visits 1"               |
      | Check of "orders" where "id = '9'", only if "attribute_exists(id)"         |
    Then it is cancelled because of "None, ConditionalCheckFailed"
    And table "orders" holds 2 items
    And the item of "orders" where "id = '1'" has:
      | visits | 1 |
    And the item of "orders" where "id = '3'" has no "visits"
    And there is no item of "orders" where "id = '2'"

  Scenario: Of many simultaneous callers one wins
    When 20 callers at once send a PutItem of "orders" with {"id": "1A", "by": {caller}}, only if "attribute_not_exists(id)"
    Then exactly one of them succeeds, and the others are refused with ConditionalCheckFailedException
    And exactly 1 succeeds
    And 19 of them are refused with ConditionalCheckFailedException
    When a client sends, 3 times, an UpdateItem of "orders" where "id = '1A'", setting "ADD visits 1"
    Then all of them succeed

  Scenario: The requests of the code under test are recorded
    When the code under test reads the order "7"
    Then the store received a GetItem of "orders" where "id = '7'", consistent
    And the store received no Scan
    When earlier requests are ignored
    Then the store received no request

  Scenario: What must hold of all items is in a file
    Given the item {"id": "7", "total": 5, "number": 1} is put into "orders"
    And the item {"id": "8", "total": 0} is put into "orders"
    Then the invariants of the file "invariants.yaml" hold

Feature: PartiQL
  A program reads and writes items with PartiQL statements: single ones, in a batch or in a transaction. Statements can
  have parameters, and policies apply to them as to other requests.

  @SV-Q1.key @SV-Q1.order @needs:commands
  Scenario: A SELECT with the partition key reads only that partition
    Given an emulator
    And a table "orders" with the key "customer" and the sort key "id"
    And 40 items of 1 KB are put into "orders" under "customer" "bob"
    And these items are put into "orders":
      | customer | id  | state |
      | ann      | '1' | paid  |
      | ann      | '2' | open  |
      | ann      | '3' | paid  |
    When this statement is run:
      """
      SELECT id FROM "orders" WHERE customer = 'ann' AND id > '1' ORDER BY id DESC
      """
    Then the items found are:
      | customer | id  |
      |          | '3' |
      |          | '2' |
    And it consumed 0.5 units

  @SV-Q1.filter @needs:commands
  Scenario: A SELECT without the partition key reads the whole table
    Given an emulator
    And a table "orders" with the key "customer" and the sort key "id"
    And 40 items of 1 KB are put into "orders" under "customer" "bob"
    And the item {"customer": "ann", "id": "1", "state": "paid"} is put into "orders"
    And the item {"customer": "ann", "id": "2", "state": "open"} is put into "orders"
    When this statement is run:
      """
      SELECT customer, id FROM "orders" WHERE state = 'paid'
      """
    Then the items found are:
      | customer | id  |
      | ann      | '1' |
    And it consumed 5 units

  @SV-Q1.index @needs:commands
  Scenario: A SELECT from an index reads the items of the index
    Given an emulator
    And a table "orders" with the key "id" and the index "by-customer" on "customer"
    And the item {"id": "1", "customer": "ann"} is put into "orders"
    And the item {"id": "2"} is put into "orders"
    And the item {"id": "3", "customer": "bob"} is put into "orders"
    When this statement is run:
      """
      SELECT id FROM "orders"."by-customer" WHERE customer = 'ann'
      """
    Then the items found are:
      | id  |
      | '1' |
    When this statement is run:
      """
      SELECT id FROM "orders"."by-customer"
      """
    Then 2 items are found

  @SV-Q2.pages @SV-Q2.bound @needs:commands
  Scenario: A NextToken continues its own statement only
    Given an emulator
    And a table "orders" with the key "customer" and the sort key "id"
    And these items are put into "orders":
      | customer | id  |
      | ann      | '1' |
      | ann      | '2' |
      | ann      | '3' |
      | bob      | '4' |
    When this statement is run with the parameters ["ann"], 2 items a page:
      """
      SELECT * FROM "orders" WHERE customer = ?
      """
    Then the items found are:
      | customer | id  |
      | ann      | '1' |
      | ann      | '2' |
    When this statement is continued with the parameters ["bob"]:
      """
      SELECT * FROM "orders" WHERE customer = ?
      """
    Then it is refused with ValidationException because "NextToken does not match request"
    When this statement is continued with the parameters ["ann"]:
      """
      SELECT id FROM "orders" WHERE customer = ?
      """
    Then it is refused with ValidationException because "NextToken does not match request"
    When this statement is continued with the parameters ["ann"]:
      """
      SELECT * FROM "orders" WHERE customer = ?
      """
    Then the items found are:
      | customer | id  |
      | ann      | '3' |

  @SV-Q3.duplicate @needs:commands
  Scenario: An INSERT does not replace an item
    Given an emulator
    And a table "orders" with the key "id"
    When this statement is run:
      """
      INSERT INTO "orders" VALUE {'id': '7', 'state': 'paid'}
      """
    Then it succeeds
    When this statement is run:
      """
      INSERT INTO "orders" VALUE {'id': '7', 'state': 'new'}
      """
    Then it is refused with DuplicateItemException because "Duplicate primary key exists in table"
    When the item {"id": "7"} of "orders" is read
    Then it is {"id": "7", "state": "paid"}

  @SV-Q3.absent @needs:commands
  Scenario: An UPDATE does not create an item
    Given an emulator
    And a table "orders" with the key "id"
    When this statement is run:
      """
      UPDATE "orders" SET state = 'paid' WHERE id = '7'
      """
    Then it is refused with ConditionalCheckFailedException
    When the item {"id": "7"} of "orders" is read
    Then there is no such item

  @SV-Q3.deleted @SV-Q3.condition @needs:commands
  Scenario: A DELETE of an item requires its condition, and succeeds if there is no item
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    When this statement is run:
      """
      DELETE FROM "orders" WHERE id = '7' AND state = 'open'
      """
    Then it is refused with ConditionalCheckFailedException
    When this statement is run:
      """
      DELETE FROM "orders" WHERE id = '7' AND state = 'paid'
      """
    Then it succeeds
    And table "orders" holds no items
    When this statement is run:
      """
      DELETE FROM "orders" WHERE id = '7'
      """
    Then it succeeds

  @SV-Q3.returning @needs:commands
  Scenario Outline: An UPDATE with RETURNING <returning> returns the requested attributes
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "state": "new", "pieces": 2} is put into "orders"
    When this statement is run:
      """
      UPDATE "orders" SET state = 'paid' WHERE id = '7' RETURNING <returning> *
      """
    Then it is <item>

    Examples:
      | returning    | item                                       |
      | ALL OLD      | {"id": "7", "state": "new", "pieces": 2}   |
      | ALL NEW      | {"id": "7", "state": "paid", "pieces": 2}  |
      | MODIFIED OLD | {"state": "new"}                           |
      | MODIFIED NEW | {"state": "paid"}                          |

  @SV-Q4 @needs:commands
  Scenario: A batch returns a result for each statement
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7"} is put into "orders"
    When these statements are run in one batch:
      | INSERT INTO "orders" VALUE {'id': '6'}            |
      | INSERT INTO "orders" VALUE {'id': '7'}            |
      | UPDATE "orders" SET state = 'paid' WHERE id = '5' |
      | INSERT INTO "orders" VALUE {'id': '8'}            |
    Then the results of the statements are "success, DuplicateItem, ConditionalCheckFailed, success"
    And table "orders" holds 3 items

  @SV-Q5.all @needs:commands
  Scenario: A transaction runs all of its statements or none
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7"} is put into "orders"
    When these statements are run in one transaction:
      | INSERT INTO "orders" VALUE {'id': '6'} |
      | INSERT INTO "orders" VALUE {'id': '7'} |
      | INSERT INTO "orders" VALUE {'id': '8'} |
    Then it is cancelled because of "None, DuplicateItem, None"
    And table "orders" holds 1 item
    When these statements are run in one transaction:
      | INSERT INTO "orders" VALUE {'id': '6'} |
      | DELETE FROM "orders" WHERE id = '7'    |
      | INSERT INTO "orders" VALUE {'id': '8'} |
    Then it succeeds
    And table "orders" holds 2 items

  @SV-Q5.exists @needs:commands
  Scenario: A transaction with EXISTS depends on another item
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "account", "state": "closed"} is put into "orders"
    When these statements are run in one transaction:
      | EXISTS(SELECT * FROM "orders" WHERE id = 'account' AND state = 'open') |
      | INSERT INTO "orders" VALUE {'id': '7'}                                 |
    Then it is cancelled because of "ConditionalCheckFailed, None"
    And table "orders" holds 1 item

  @SV-Q6 @needs:commands
  Scenario: A parameter cannot change the statement
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "7", "customer": "ann"} is put into "orders"
    And the item {"id": "8", "customer": "bob"} is put into "orders"
    When this statement is run with the parameters ["nobody' OR customer <> 'nobody"]:
      """
      SELECT * FROM "orders" WHERE customer = ?
      """
    Then no items are found
    When this statement is run with the parameters ["9", "it's {'id': '10'}"]:
      """
      INSERT INTO "orders" VALUE {'id': ?, 'customer': ?}
      """
    And the item {"id": "9"} of "orders" is read
    Then it is {"id": "9", "customer": "it's {'id': '10'}"}

Feature: Tables, time and faults by generic steps

  @needs:commands
  Scenario: Tables of a description
    Given the tables:
      """
      tables:
        - name: sessions
          key: {partition: user, sort: number}
          attributes: {number: N}
          indexes:
            - {name: by-day, key: {partition: day, sort: user}}
          ttl: until
      """
    Then there are the tables "sessions" and no other
    And table "sessions" has the key "user, number"
    And table "sessions" has the index "by-day" on "day, user" with every attribute
    And items of table "sessions" expire by "until"
    And "sessions" is ACTIVE
    When the index "by-device" on "device, user" is added to "sessions"
    Then table "sessions" has 2 indexes
    When the index "by-device" of "sessions" is removed
    Then table "sessions" has 1 index

  @needs:commands
  Scenario: A description in a file
    Given the tables of the file "tables.yaml"
    Then table "carts" has the key "id"
    And items of table "carts" never expire

  @needs:commands
  Scenario: Items end by the clock
    Given a table "sessions" with the key "id"
    And items of "sessions" end at their "until"
    And the item {"id": "7", "until": {seconds in 30 days}} is put into "sessions"
    When 29 days pass
    Then table "sessions" holds 1 item
    When 2 days pass
    Then table "sessions" holds no items

  @needs:commands
  Scenario: The clock is moved, runs and stands
    Given a table "sessions" with the key "id"
    When the clock is moved to 2099-01-01T00:00:00Z
    And the item {"id": "7", "at": "{now}"} is put into "sessions"
    And the item {"id": "7"} of "sessions" is read
    Then it has the at "2099-01-01T00:00:00Z"
    When the clock goes on by itself
    And the clock is frozen
    And the item {"id": "7"} of "sessions" is deleted
    Then the item {"id": "7"} of "sessions" is soon gone

  @needs:commands
  Scenario Outline: A request that <happens> is refused with <code>
    Given a table "orders" with the key "id"
    And the next PutItem of "orders" <happens>
    When the item {"id": "7"} is put into "orders"
    Then it is refused with <code>
    And 1 request went wrong
    When the item {"id": "7"} is put into "orders"
    Then it succeeds

    Examples:
      | happens                       | code                        |
      | is throttled                  | ThrottlingException         |
      | fails inside                  | InternalServerError         |
      | finds the service unavailable | ServiceUnavailableException |

  @needs:commands
  Scenario: Every third request goes wrong until it is mended
    Given a table "orders" with the key "id"
    And every 3rd request is throttled
    When the store is asked 6 times for a GetItem of "orders" where "id = '7'"
    Then 2 of them are refused with ThrottlingException
    When no request goes wrong any more
    And the store is asked 6 times for a GetItem of "orders" where "id = '7'"
    Then all of them succeed

  @needs:commands
  Scenario: Answers are lost
    Given a table "orders" with the key "id"
    And the next UpdateItem of "orders" loses its answer
    When a client that tries again asks for an UpdateItem of "orders" where "id = '7'", setting "ADD visits 1"
    Then it is {"id": "7", "visits": 2}
    Given the next 2 PutItem are cut off before they are done
    When the item {"id": "8"} is put into "orders"
    Then it gets no answer
    And there is no item of "orders" where "id = '8'"

  @needs:commands
  Scenario: Reads are stale, requests wait, and batches are done in part
    Given a table "orders" with the key "id"
    And every GetItem of "orders" shows what was a second ago
    When the item {"id": "7"} is put into "orders"
    And the item {"id": "7"} of "orders" is read
    Then there is no such item
    Given the next DeleteItem waits for 1 minute
    When a DeleteItem of "orders" where "id = '7'" is begun
    Then it waits
    When 1 minute passes
    Then it is answered
    And it succeeds
    Given the next BatchWriteItem of "orders" leaves 2 of its members undone
    When these items are put into "orders" in one batch:
      | id  |
      | '1' |
      | '2' |
      | '3' |
    Then 2 of the batch are left
    When what is left is put again
    Then 0 of the batch are left

  @needs:commands
  Scenario: An emulator like the cloud
    Given an emulator like the cloud in throttling, conflicts
    And a table "orders" with the key "id" and a capacity of 5 reads and 1 write a second
    And the next PutItem of "orders" is held in the middle for 1 minute
    When a PutItem of "orders" with {"id": "7"} is begun
    Then it waits
    When the store is asked for a transaction of:
      | Put of "orders" with {"id": "7"} |
    Then it is cancelled because of "TransactionConflict"

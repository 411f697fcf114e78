Feature: Tables, time and faults with generic steps

  @needs:commands
  Scenario: Tables are created from a description
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
  Scenario: Tables are created from a file
    Given the tables of the file "tables.yaml"
    Then table "carts" has the key "id"
    And items of table "carts" never expire

  @needs:commands
  Scenario: Items expire as the clock moves
    Given a table "sessions" with the key "id"
    And items of "sessions" expire at their "until"
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
    When the clock runs by itself
    And the clock is frozen
    And the item {"id": "7"} of "sessions" is deleted
    Then the item {"id": "7"} of "sessions" is soon gone

  @needs:commands
  Scenario Outline: A request that <happens> is refused with <code>
    Given a table "orders" with the key "id"
    And the next PutItem of "orders" <happens>
    When the item {"id": "7"} is put into "orders"
    Then it is refused with <code>
    And 1 fault occurred
    When the item {"id": "7"} is put into "orders"
    Then it succeeds

    Examples:
      | happens                       | code                        |
      | is throttled                  | ThrottlingException         |
      | fails with an internal error                  | InternalServerError         |
      | finds the service unavailable | ServiceUnavailableException |

  @needs:commands
  Scenario: Every third request fails until the fault is removed
    Given a table "orders" with the key "id"
    And every 3rd request is throttled
    When a client sends, 6 times, a GetItem of "orders" where "id = '7'"
    Then 2 of them are refused with ThrottlingException
    When all faults are removed
    And a client sends, 6 times, a GetItem of "orders" where "id = '7'"
    Then all of them succeed

  @needs:commands
  Scenario: Responses are lost
    Given a table "orders" with the key "id"
    And the next UpdateItem of "orders" loses its response
    When a client that retries sends an UpdateItem of "orders" where "id = '7'", setting "ADD visits 1"
    Then it is {"id": "7", "visits": 2}
    Given the next 2 PutItem lose their connection before they run
    When the item {"id": "8"} is put into "orders"
    Then it gets no response
    When the item {"id": "8"} is put into "orders"
    Then it gets no response
    And there is no item of "orders" where "id = '8'"

  @needs:commands
  Scenario: Reads are stale, requests wait, and batches are processed in part
    Given a table "orders" with the key "id"
    And every GetItem of "orders" returns data from a second ago
    When the item {"id": "7"} is put into "orders"
    And the item {"id": "7"} of "orders" is read
    Then there is no such item
    Given the next DeleteItem waits for 1 minute
    When a DeleteItem of "orders" where "id = '7'" is started
    Then it waits
    When 1 minute passes
    Then it gets a response
    And it succeeds
    Given the next BatchWriteItem of "orders" leaves 2 of its items unprocessed
    When these items are put into "orders" in one batch:
      | id  |
      | '1' |
      | '2' |
      | '3' |
    Then 2 items of the batch are unprocessed
    When the unprocessed items are sent again
    Then 0 items of the batch are unprocessed

  @needs:commands
  Scenario: An emulator shows cloud behaviours
    Given an emulator with the cloud behaviours throttling, conflicts
    And a table "orders" with the key "id" and a capacity of 5 reads and 1 write a second
    And the next PutItem of "orders" is held mid-transaction for 1 minute
    When a PutItem of "orders" with {"id": "7"} is started
    Then it waits
    When a client sends a transaction of:
      | Put of "orders" with {"id": "7"} |
    Then it is cancelled because of "TransactionConflict"

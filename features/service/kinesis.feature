Feature: Kinesis destinations
  A table streams its changes to a Kinesis data stream, from which a program reads them.

  Background:
    Given an emulator with a data folder
    And a Kinesis stream "changes" with 4 shards
    And a table "orders" with the key "id"

  @SV-S7.every @needs:commands
  Scenario: Every change arrives in the Kinesis stream once
    Given the changes of "orders" are streamed to the Kinesis stream "changes"
    When the item {"id": "7", "state": "new"} is put into "orders"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7"} of "orders" is deleted
    Then the Kinesis stream "changes" has
      | event  | before                       | after                        |
      | INSERT |                              | {"id": "7", "state": "new"}  |
      | MODIFY | {"id": "7", "state": "new"}  | {"id": "7", "state": "paid"} |
      | REMOVE | {"id": "7", "state": "paid"} |                              |
    When the item {"id": "7", "state": "new"} is put into "orders"
    Then the Kinesis stream "changes" has 4 records

  @SV-S7.order @needs:commands
  Scenario: The changes of an item stay in order
    Given the changes of "orders" are streamed to the Kinesis stream "changes"
    When the item {"id": "7", "step": "1"} is put into "orders"
    And the item {"id": "7", "step": "2"} is put into "orders"
    And the item {"id": "7", "step": "3"} is put into "orders"
    And the item {"id": "7", "step": "4"} is put into "orders"
    And the item {"id": "7", "step": "5"} is put into "orders"
    And the item {"id": "7", "step": "6"} is put into "orders"
    Then the Kinesis stream "changes" has
      | event  | after                    |
      | INSERT | {"id": "7", "step": "1"} |
      | MODIFY | {"id": "7", "step": "2"} |
      | MODIFY | {"id": "7", "step": "3"} |
      | MODIFY | {"id": "7", "step": "4"} |
      | MODIFY | {"id": "7", "step": "5"} |
      | MODIFY | {"id": "7", "step": "6"} |
    And one shard of the Kinesis stream "changes" has all of them

  @SV-S7.restart @needs:commands
  Scenario: After a restart no change is missing or duplicated
    Given the changes of "orders" are streamed to the Kinesis stream "changes"
    When the item {"id": "7", "step": "1"} is put into "orders"
    Then the Kinesis stream "changes" has 1 record
    When the item {"id": "7", "step": "2"} is put into "orders"
    And the emulator is stopped
    And the emulator is started again
    And the item {"id": "7", "step": "3"} is put into "orders"
    Then the Kinesis stream "changes" has
      | event  | after                    |
      | INSERT | {"id": "7", "step": "1"} |
      | MODIFY | {"id": "7", "step": "2"} |
      | MODIFY | {"id": "7", "step": "3"} |

  @SV-S7.disabled @SV-S7.enabled @needs:commands
  Scenario: The stream receives changes only while its destination is enabled
    Given the table "orders" gets a stream of NEW_AND_OLD_IMAGES
    And the item {"id": "6"} is put into "orders"
    When the changes of "orders" are streamed to the Kinesis stream "changes"
    And the item {"id": "7"} is put into "orders"
    And the changes of "orders" are no longer streamed to the Kinesis stream "changes"
    And the item {"id": "8"} is put into "orders"
    Then the Kinesis stream "changes" has
      | event  | after       |
      | INSERT | {"id": "7"} |

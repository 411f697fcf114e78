Feature: Streams
  A stream shows a program what changed in a table, item by item, for 24 hours: to update a search index, to send a
  message, to count. A reader must follow its shards, return in time, and distinguish its own changes from the
  service's.

  @SV-S1.order @SV-S1.images @SV-S1.nothing @needs:commands
  Scenario: A stream shows what changed
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of NEW_AND_OLD_IMAGES
    When the item {"id": "7", "state": "new"} is put into "orders"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7", "state": "paid"} is put into "orders"
    And the item {"id": "7"} of "orders" is deleted
    And the item {"id": "7"} of "orders" is deleted
    Then the stream of "orders" shows
      | event  | before                       | after                        |
      | INSERT |                              | {"id": "7", "state": "new"}  |
      | MODIFY | {"id": "7", "state": "new"}  | {"id": "7", "state": "paid"} |
      | REMOVE | {"id": "7", "state": "paid"} |                              |

  @SV-S1.images @needs:commands
  Scenario Outline: A stream of <view> shows the images of its view type
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of <view>
    When the item {"id": "7", "n": "1"} is put into "orders"
    And the item {"id": "7", "n": "2"} is put into "orders"
    Then the stream of "orders" shows
      | event  | before   | after        |
      | INSERT |          | <at first>   |
      | MODIFY | <before> | <afterwards> |

    Examples:
      | view               | at first              | before                | afterwards            |
      | KEYS_ONLY          |                       |                       |                       |
      | NEW_IMAGE          | {"id": "7", "n": "1"} |                       | {"id": "7", "n": "2"} |
      | OLD_IMAGE          |                       | {"id": "7", "n": "1"} |                       |
      | NEW_AND_OLD_IMAGES | {"id": "7", "n": "1"} | {"id": "7", "n": "1"} | {"id": "7", "n": "2"} |

  @SV-S2 @needs:commands
  Scenario: Expired sessions can be distinguished from deleted ones
    Given an emulator
    And a table "sessions" with the key "id" and a capacity of 10 reads and 10 writes a second
    And the items of "sessions" expire by "until"
    And the table "sessions" gets a stream of KEYS_ONLY
    When an item "left" that expires in 60 seconds is put into "sessions"
    And an item "signed-out" that expires in 60 seconds is put into "sessions"
    And the item {"id": "signed-out"} of "sessions" is deleted
    And 2 minutes pass
    Then the stream of "sessions" shows
      | event  | key                  | by                             |
      | INSERT | {"id": "left"}       |                                |
      | INSERT | {"id": "signed-out"} |                                |
      | REMOVE | {"id": "signed-out"} |                                |
      | REMOVE | {"id": "left"}       | Service dynamodb.amazonaws.com |

  @SV-S3.age @needs:commands
  Scenario: A shard is replaced by its child
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 10 reads and 10 writes a second
    And the table "orders" gets a stream of KEYS_ONLY
    Then the stream of "orders" has 1 open shard and 0 closed ones
    When the item {"id": "1"} is put into "orders"
    And 4 hours pass
    And the item {"id": "2"} is put into "orders"
    Then the stream of "orders" has 1 open shard and 1 closed one
    And each open shard of the stream of "orders" has a closed parent
    And the stream of "orders" shows
      | event  | key         |
      | INSERT | {"id": "1"} |
      | INSERT | {"id": "2"} |

  @SV-S3.split @needs:commands
  Scenario: Shards are split like the table's partitions
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of KEYS_ONLY
    Then the stream of "orders" has 4 open shards and 0 closed ones
    When "orders" is warmed up for 12000 reads and 8000 writes a second
    Then the stream of "orders" has 8 open shards and 4 closed ones
    And each open shard of the stream of "orders" has a closed parent

  @SV-S4.iterator @needs:commands
  Scenario: An iterator expires after 15 minutes
    Given an emulator
    And a table "orders" with the key "id" and a capacity of 10 reads and 10 writes a second
    And the table "orders" gets a stream of KEYS_ONLY
    And an iterator at the end of the stream of "orders"
    And the item {"id": "7"} is put into "orders"
    When 15 minutes pass
    And the iterator is used
    Then it returns 1 record
    When 15 minutes pass
    And 1 second passes
    And the iterator is used
    Then it is refused with ExpiredIteratorException

  @SV-S4.record @needs:commands
  Scenario: A record expires after 24 hours
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of KEYS_ONLY
    And the item {"id": "7"} is put into "orders"
    When 24 hours pass
    Then the stream of "orders" shows
      | event  | key         |
      | INSERT | {"id": "7"} |
    When 1 second passes
    Then the stream of "orders" shows nothing

  @SV-S5.disabled @SV-S5.again @needs:commands
  Scenario: A disabled stream can be read to its end
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of KEYS_ONLY
    And the item {"id": "7"} is put into "orders"
    When the stream of the table "orders" is disabled
    And the item {"id": "8"} is put into "orders"
    Then the stream of "orders" shows
      | event  | key         |
      | INSERT | {"id": "7"} |
    When 1 hour passes
    And the table "orders" gets a stream of NEW_IMAGE
    Then there are 2 streams of "orders"
    And the stream of "orders" shows nothing
    When 23 hours pass
    And 1 minute passes
    Then there is 1 stream of "orders"

  @SV-S5.deleted @needs:commands
  Scenario: The stream of a deleted table can be read to its end
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of KEYS_ONLY
    And the item {"id": "7"} is put into "orders"
    When the table "orders" is deleted
    Then the stream of "orders" shows
      | event  | key         |
      | INSERT | {"id": "7"} |
    And the stream of "orders" has 0 open shards and 4 closed ones

  @SV-S6 @needs:commands
  Scenario: A forged iterator is refused
    Given an emulator
    And a table "orders" with the key "id"
    And the table "orders" gets a stream of KEYS_ONLY
    And an iterator at the end of the stream of "orders"
    When one character of the iterator is changed
    And the iterator is used
    Then it is refused with ValidationException

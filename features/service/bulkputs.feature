Feature: Bulk puts
  The items of a bucket's objects are put into a table that is in use, each on its own condition. What is not put is in a
  report.

  @SV-R7.items @needs:commands
  Scenario: Items are put into a table that has items
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "1", "paid": false} is put into "orders"
    And the item {"id": "2", "paid": false} is put into "orders"
    And the GZIP object "orders/1.json"
      """
      {"Item": {"id": {"S": "2"}, "paid": {"BOOL": true}}}
      {"Item": {"id": {"S": "3"}, "paid": {"BOOL": true}}}
      """
    When the GZIP DYNAMODB_JSON objects "orders/" are put into "orders" in bulk
    Then the bulk operation is COMPLETED with 2 items, 0 of them failed
    And the table "orders" holds
      | {"id": "1", "paid": false} |
      | {"id": "2", "paid": true}  |
      | {"id": "3", "paid": true}  |

  @SV-R7.conditions @needs:commands
  Scenario Outline: An item of <format> whose condition does not hold is not put
    Given an emulator
    And a table "orders" with the key "id"
    And the item {"id": "1", "version": 4} is put into "orders"
    And the object "orders/1"
      """
      <record>
      """
    When the <format> objects "orders/" are put into "orders" in bulk
    Then the bulk operation is COMPLETED with 1 item, 0 of them failed
    And the report has the record 0 of "orders/1" as CONDITION_CHECK_FAILURE
    And the table "orders" holds
      | {"id": "1", "version": 4} |

    Examples:
      | format        | record                                                                                                                                      |
      | DYNAMODB_JSON | {"Item": {"id": {"S": "1"}}, "ConditionExpression": "version < :v", "ExpressionAttributeValues": {":v": {"N": "3"}}}                          |
      | ION           | $ion_1_0 {Item:{id:"1"},ConditionExpression:"#v < :v",ExpressionAttributeNames:{'#v':"version"},ExpressionAttributeValues:{':v':3.}}          |

  @SV-R7.errors @needs:commands
  Scenario: Items without a key are skipped and reported
    Given an emulator
    And a table "orders" with the key "id"
    And the object "orders/1.json"
      """
      {"Item": {"id": {"S": "1"}}}
      {"Item": {"other": {"S": "2"}}}
      {"Item": {"id": {"S": "3"}}}
      """
    When the DYNAMODB_JSON objects "orders/" are put into "orders" in bulk
    Then the bulk operation is COMPLETED_WITH_ERRORS with 3 items, 1 of them failed
    And the report has the record 1 of "orders/1.json" as ERROR
    And the table "orders" holds
      | {"id": "1"} |
      | {"id": "3"} |

  @SV-R7.repeated @needs:commands
  Scenario: A client that got no response repeats its bulk operation
    Given an emulator
    And a table "orders" with the key "id"
    And the object "orders/1.json"
      """
      {"Item": {"id": {"S": "1"}}}
      """
    When the DYNAMODB_JSON objects "orders/" are put into "orders" in bulk
    And the bulk operation is requested again
    Then it is the same bulk operation

Feature: Imports
  A table can be created from objects in a bucket: the rows of a spreadsheet, items that another program wrote, or an
  earlier export.

  @SV-R5.formats @needs:commands
  Scenario: Rows of CSV become items
    Given an emulator
    And the object "people/1.csv"
      """
      id,name
      1,Ann
      2,"Bo ""the Rock"", Jr."
      """
    When the CSV objects "people/" are imported into "people" with the key "id"
    Then the import is COMPLETED with 2 items and 0 errors
    And the table "people" holds
      | {"id": "1", "name": "Ann"}                  |
      | {"id": "2", "name": "Bo \"the Rock\", Jr."} |

  @SV-R5.formats @needs:commands
  Scenario: Ion and DynamoDB JSON become items, compressed or not
    Given an emulator
    And the ZSTD object "ion/1"
      """
      $ion_1_0 {Item:{id:"1",count:25d-1,tags:$dynamodb_SS::["a","b"]}}
      """
    And the GZIP object "json/1"
      """
      {"Item": {"id": {"S": "2"}, "count": {"N": "3"}}}
      """
    When the ZSTD ION objects "ion/" are imported into "first" with the key "id"
    Then the import is COMPLETED with 1 item and 0 errors
    And the item "1" of "first" has a set of strings "tags" and the number 2.5 as "count"
    When the GZIP DYNAMODB_JSON objects "json/" are imported into "second" with the key "id"
    Then the import is COMPLETED with 1 item and 0 errors
    And the table "second" holds
      | {"id": "2", "count": 3} |

  @SV-R5.errors @needs:commands
  Scenario: Items without a key are skipped and counted
    Given an emulator
    And the object "orders/1.json"
      """
      {"Item": {"id": {"S": "1"}}}
      {"Item": {"other": {"S": "2"}}}
      {"Item": {"id": {"S": "3"}}}
      """
    When the DYNAMODB_JSON objects "orders/" are imported into "orders" with the key "id"
    Then the import is FAILED with 2 items and 1 error, because of ItemValidationError
    And the table "orders" holds
      | {"id": "1"} |
      | {"id": "3"} |

  @SV-R5.absent @needs:commands
  Scenario: An import from a bucket that does not exist leaves no table
    Given an emulator
    When the DYNAMODB_JSON objects "orders/" are imported into "orders" with the key "id"
    Then the import is FAILED with 0 items and 0 errors, because of S3NoSuchBucket
    When the item {"id": "7"} of "orders" is read
    Then it is refused with ResourceNotFoundException

  @SV-R5.repeated @needs:commands
  Scenario: A client that got no response repeats its import
    Given an emulator
    And the object "orders/1.csv"
      """
      id
      1
      """
    When the CSV objects "orders/" are imported into "orders" with the key "id"
    And the import is requested again
    Then it is the same import
    And the table "orders" holds
      | {"id": "1"} |

  @SV-R6 @needs:commands
  Scenario Outline: A table exported as <format> is imported
    Given an emulator
    And a table "orders" with the key "id"
    And point-in-time recovery is enabled for the table "orders"
    And the item {"id": "1", "note": "two\u000alines, \"quoted\"", "lines": [{"price": -1.5}, null]} is put into "orders"
    And the item {"id": "2", "paid": true} is put into "orders"
    When "orders" is exported in the format <format>
    And the export is imported into "copy" with the key "id"
    Then the import is COMPLETED with 2 items and 0 errors
    And the table "copy" holds
      | {"id": "1", "note": "two\u000alines, \"quoted\"", "lines": [{"price": -1.5}, null]} |
      | {"id": "2", "paid": true}                                                            |

    Examples:
      | format        |
      | ION           |
      | DYNAMODB_JSON |

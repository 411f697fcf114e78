Feature: The schema is locked
  Version 1.0.0 of the document defines the tables. They change by its rules or not at all.

  @TL-O1.tables
  Scenario: The four tables have the documented keys and indexes
    Then there are the tables "api_keys, device_readings, devices, processed_batches" and no other
    And table "devices" has the key "hardware_id"
    And table "devices" has the index "gsi1" on "gsi1pk, gsi1sk" with every attribute
    And table "devices" has 1 index
    And table "device_readings" has the key "hardware_id, ts_batch"
    And table "device_readings" has no indexes
    And table "processed_batches" has the key "batch_id"
    And table "processed_batches" has no indexes
    And table "api_keys" has the key "key_id"
    And table "api_keys" has the index "api_key_hash_index" on "api_key_hash" with every attribute
    And table "api_keys" has the index "gsi1" on "gsi1pk, gsi1sk" with every attribute
    And table "api_keys" has 2 indexes

  @TL-O1.expiry
  Scenario: Items expire by expiration_time
    Then items of table "device_readings" expire by "expiration_time"
    And items of table "processed_batches" expire by "expiration_time"
    And items of table "devices" never expire
    And items of table "api_keys" never expire

  @TL-O1.tables
  Scenario: Creating the tables again changes nothing
    Given the device "greenhouse" is registered
    When the tables are created again
    Then it succeeds
    And there are the tables "api_keys, device_readings, devices, processed_batches" and no other
    And table "devices" holds 1 item

  @TL-O2.added
  Scenario: An index added under load is filled while the table is in use
    Given the device "greenhouse" is registered
    And "greenhouse" has delivered 100 readings a minute apart
    When the index "by_boot" on "boot_id, ts_batch" is added to "device_readings" while "greenhouse" keeps delivering
    Then everything that was delivered meanwhile is stored
    And the index "by_boot" of "device_readings" has every reading
    And the latest reading of "greenhouse" can be read

  @TL-O2.removed
  Scenario: Removing an index under load loses no delivery
    Given the device "greenhouse" is registered
    And "greenhouse" has delivered 20 readings a minute apart
    And the index "by_boot" on "boot_id, ts_batch" is added to "device_readings"
    When the index "by_boot" of "device_readings" is removed while "greenhouse" keeps delivering
    Then everything that was delivered meanwhile is stored
    And table "device_readings" has no indexes
    And the latest reading of "greenhouse" can be read

  @TL-R14.locked
  Scenario: The tables match the checksum of version 1.0.0
    Then the schema has the version "1.0.0"
    And its checksum is the one locked with that version

  @TL-R14.locked
  Scenario Outline: <change> changes the checksum
    When the schema is changed: <change>
    Then its checksum is not the one locked with that version

    Examples:
      | change                       |
      | a new optional attribute     |
      | a new required attribute     |
      | an attribute of another type |
      | a removed attribute            |
      | a new index                  |
      | a removed index                |
      | another sort key             |
      | another index key            |
      | another expiry attribute     |
      | a removed table                 |

  @TL-R14.allowed @TL-D10
  Scenario Outline: <change> is <allowed>
    When the schema is changed: <change>
    Then the change is <allowed>

    Examples:
      | change                       | allowed |
      | a new optional attribute     | allowed |
      | a new index                  | allowed |
      | a removed index                | allowed |
      | another sort key             | refused |
      | another index key            | refused |
      | an attribute of another type | refused |
      | a new required attribute     | refused |
      | a removed attribute            | refused |
      | another expiry attribute     | refused |
      | a removed table                 | refused |

  @TL-R14.locked
  Scenario: A table with another key is refused
    Given the table "devices" is recreated with the key "gsi1sk"
    When the tables are created again
    Then that is refused because a table differs from the schema

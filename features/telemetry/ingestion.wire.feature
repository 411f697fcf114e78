Feature: Devices deliver readings, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given the device "greenhouse" is registered

  @TL-P7.together
  Scenario: A reading and its marker are stored together
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the store received a transaction of:
      | Put of "processed_batches", only if "attribute_not_exists(batch_id)" |
      | Put of "device_readings"                                             |
    And table "processed_batches" holds 1 item
    And table "device_readings" holds 1 item

  @TL-P7.neither
  Scenario: When the marker exists, the reading is not written
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers, under the batch id of "r1", the reading "r2" taken 1 minute ago
    Then table "device_readings" holds 1 item
    And there is no item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r2}'"

  @TL-R13.other
  Scenario: A reading with the batch id of another device is rejected, on the wire
    Given the device "cellar" is registered
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "cellar" delivers, under the batch id of "r1", the reading "r2" taken 1 minute ago
    Then table "device_readings" holds 1 item

  @TL-R7.status
  Scenario Outline: The sensor status '<status>' is rejected
    When "greenhouse" delivers a reading with the values '{}' and the status '<status>'
    Then it is rejected because of "sensor_status"
    And table "device_readings" holds no items

    Examples:
      | status            |
      | {"bme280":"OK"}   |
      | {"bme280":"warm"} |
      | {"bme280":""}     |

  @TL-R7.name
  Scenario: A reading keeps the name that its device had at the time
    Given "greenhouse" is named "North greenhouse"
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" is named "South greenhouse"
    And "greenhouse" delivers the reading "r2" taken 2 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | friendly_name | 'North greenhouse' |
    And the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r2}'" has:
      | friendly_name | 'South greenhouse' |

  @TL-R7.name
  Scenario: A reading of an unnamed device has no name
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has no "friendly_name"

  @TL-R1
  Scenario Outline: A reading of the hardware address "<address>" is rejected
    When "greenhouse" delivers a reading whose hardware_id is "<address>"
    Then it is rejected because of "hardware_id: must be"
    And table "device_readings" holds no items

    Examples:
      | address           |
      | aa:bb:cc:dd:ee:ff |
      | AA-BB-CC-DD-EE-FF |
      | AA:BB:CC:DD:EE    |
      |                   |

  @TL-R2
  Scenario Outline: A reading of the boot "<boot>" is rejected
    When "greenhouse" delivers a reading whose boot_id is "<boot>"
    Then it is rejected because of "boot_id: must be"
    And table "device_readings" holds no items

    Examples:
      | boot                                 |
      | 7c9e6679-7425-10de-944b-e07fc1f90ae7 |
      | 7c9e6679-7425-40de-144b-e07fc1f90ae7 |
      | 7c9e6679742540de944be07fc1f90ae7     |
      | boot-1                               |

  @TL-R4
  Scenario: A batch id is not parsed, on the wire
    Given the device "cellar" is registered
    When "greenhouse" delivers a reading with the batch id "{cellar}_0_0_0"
    Then the item of "processed_batches" where "batch_id = '{cellar}_0_0_0'" has:
      | hardware_id | '{greenhouse}' |

  @TL-R13.each
  Scenario Outline: A delivery of <count> readings gets a result for each
    When "greenhouse" delivers <count> readings a minute apart
    Then all <count> are stored, in the order in which they were sent
    And table "device_readings" holds <count> items

    Examples:
      | count |
      | 1     |
      | 100   |

  @TL-R13.whole
  Scenario Outline: A delivery of <count> readings is refused as a whole
    When "greenhouse" delivers <count> readings a minute apart
    Then it is refused as invalid
    And the store received no TransactWriteItems
    And table "device_readings" holds no items

    Examples:
      | count |
      | 0     |
      | 101   |

  @TL-R13.each
  Scenario: One bad reading does not affect the others
    Given "greenhouse" has delivered the reading "r1" taken 9 minutes ago
    And a device "stranger" that is not registered
    When a delivery contains:
      | device     | reading | flaw                |
      | greenhouse | r2      |                     |
      | greenhouse | r1      |                     |
      | greenhouse | r3      | lower-case address  |
      | stranger   | r4      |                     |
      | greenhouse | r5      | time in seconds     |
      | greenhouse | r6      | text for a value    |
      | greenhouse | r7      |                     |
    Then the results are:
      | r2 | stored    |              |
      | r1 | duplicate |              |
      | r3 | rejected  | hardware_id  |
      | r4 | rejected  | register     |
      | r5 | rejected  | timestamp_ms |
      | r6 | rejected  | sensors      |
      | r7 | stored    |              |
    And table "device_readings" holds 3 items
    And table "processed_batches" holds 3 items

  @TL-R13.each
  Scenario: The same batch twice in one delivery is stored once, on the wire
    When a delivery contains:
      | device     | reading | flaw |
      | greenhouse | r1      |      |
      | greenhouse | r1      |      |
    Then table "device_readings" holds 1 item

  @TL-D3.refused
  Scenario Outline: The documented single transaction for a delivery exceeds the store's limit: <markers>
    When 100 readings with <markers> are written in one transaction, as documented
    Then the store refuses it with ValidationException because "100"
    And table "device_readings" holds no items

    Examples:
      | markers           |
      | one marker        |
      | a marker for each |

  @TL-D3.each
  Scenario: A full delivery uses one transaction per reading
    When "greenhouse" delivers 100 readings a minute apart
    Then the store received 100 transactions of:
      | Put of "processed_batches", only if "attribute_not_exists(batch_id)" |
      | Put of "device_readings"                                             |

  @TL-D3.bounded
  Scenario: At most 16 readings of a delivery are written at the same time
    Given each TransactWriteItems waits until 16 have arrived and no more follow
    When "greenhouse" delivers 100 readings a minute apart
    Then all 100 are stored, in the order in which they were sent
    And the store never received more than 16 TransactWriteItems requests at once

  @TL-P7.registered
  Scenario: A device can deliver right after its registration, because registrations are read consistently
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the store received a BatchGetItem of "devices", consistent

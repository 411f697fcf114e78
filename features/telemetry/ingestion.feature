Feature: Readings are taken in
  A device delivers 1 to 100 readings at a time. Each is answered by its own, so that a bad one does not cost the
  others.

  Background:
    Given the device "greenhouse" is registered

  @TL-P7.together
  Scenario: A reading and its marker are stored together
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And the store was asked for a transaction of:
      | Put of "processed_batches", only if "attribute_not_exists(batch_id)" |
      | Put of "device_readings"                                             |
    And table "processed_batches" holds 1 item
    And table "device_readings" holds 1 item

  @TL-P7.neither
  Scenario: When the marker is there, the reading is not written either
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers under the batch id of "r1" a reading "r2" taken 1 minute ago
    Then it is a duplicate
    And table "device_readings" holds 1 item
    And there is no item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r2}'"

  @TL-R13.other
  Scenario: A reading under the batch id of another device is rejected, and no sender takes it for stored
    Given the device "cellar" is registered
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "cellar" delivers under the batch id of "r1" a reading "r2" taken 1 minute ago
    Then it is rejected because of "batch_id: another device has used it"
    And table "device_readings" holds 1 item

  @TL-R7.values
  Scenario Outline: A reading with <values> is stored as it is
    When "greenhouse" delivers a reading with the values '<values>' and the status '<status>'
    Then it is stored
    And its latest reading has the values '<values>' and the status '<status>'

    Examples:
      | values                                                                                                                     | status                                                |
      | {"bme280_temp_c":22.5,"ds18b20_temp_c":21.8,"humidity_pct":45.2,"pressure_hpa":1013.25,"soil_moisture_pct":62.3}           | {"bme280":"ok","ds18b20":"ok","soil_moisture":"ok"}   |
      | {"bme280_temp_c":-40.125}                                                                                                  | {"bme280":"ok","ds18b20":"error"}                     |
      | {}                                                                                                                         | {}                                                    |

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
  Scenario: A reading keeps the name that its device had when it came in
    Given "greenhouse" is named "North greenhouse"
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" is named "South greenhouse"
    And "greenhouse" delivers the reading "r2" taken 2 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | friendly_name | 'North greenhouse' |
    And the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r2}'" has:
      | friendly_name | 'South greenhouse' |

  @TL-R7.name
  Scenario: A reading of a device without a name has none
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

  @TL-R3
  Scenario Outline: The time <time> is <answer>
    When "greenhouse" delivers a reading taken at <time>
    Then it is <answer>

    Examples:
      | time                 | answer                                |
      | 946684800000         | stored                                |
      | 4102444800000        | stored                                |
      | 946684799999         | rejected because of "timestamp_ms"    |
      | 4102444800001        | rejected because of "timestamp_ms"    |
      | -1                   | rejected because of "timestamp_ms"    |
      | 1704067800           | rejected because of "timestamp_ms"    |
      | 1704067800000.5      | rejected because of "timestamp_ms"    |
      | 99999999999999999999 | rejected because of "timestamp_ms"    |
      | "1704067800000"      | rejected because of "timestamp_ms"    |

  @TL-R4
  Scenario Outline: A batch id <like> is <answer>
    When "greenhouse" delivers a reading with the batch id <id>
    Then it is <answer>

    Examples:
      | like                   | id                 | answer                          |
      | of any form            | "x"                | stored                          |
      | of 256 characters      | of 256 characters  | stored                          |
      | of 257 characters      | of 257 characters  | rejected because of "batch_id"  |
      | that is empty          | ""                 | rejected because of "batch_id"  |
      | with a blank           | "a b"              | rejected because of "batch_id"  |
      | with a slash           | "a/b"              | rejected because of "batch_id"  |
      | with a number sign     | "a#b"              | rejected because of "batch_id"  |
      | of letters beyond A-Z  | "Gewächshaus"      | rejected because of "batch_id"  |

  @TL-R4
  Scenario: Nothing is read out of a batch id
    Given the device "cellar" is registered
    When "greenhouse" delivers a reading with the batch id "{cellar}_0_0_0"
    Then it is stored
    And the item of "processed_batches" where "batch_id = '{cellar}_0_0_0'" has:
      | hardware_id | '{greenhouse}' |

  @TL-D1
  Scenario: The documented batch id has colons, which the documented characters lack; it is stored
    Given the document's example of a batch id
    Then the document's characters for batch ids exclude it
    When "greenhouse" delivers a reading with the batch id "{documented batch id}"
    Then it is stored

  @TL-R13.each
  Scenario Outline: A delivery of <count> readings is answered one by one
    When "greenhouse" delivers <count> readings a minute apart
    Then all <count> are stored, in the order in which they were sent
    And table "device_readings" holds <count> items

    Examples:
      | count |
      | 1     |
      | 100   |

  @TL-R13.whole
  Scenario Outline: A delivery of <count> readings is refused whole
    When "greenhouse" delivers <count> readings a minute apart
    Then it is refused as invalid
    And the store was never asked for a TransactWriteItems
    And table "device_readings" holds no items

    Examples:
      | count |
      | 0     |
      | 101   |

  @TL-R13.each
  Scenario: One bad reading does not sink the rest
    Given "greenhouse" has delivered the reading "r1" taken 9 minutes ago
    And a device "stranger" that is not registered
    When a delivery brings:
      | device     | reading | flaw                |
      | greenhouse | r2      |                     |
      | greenhouse | r1      |                     |
      | greenhouse | r3      | lower-case address  |
      | stranger   | r4      |                     |
      | greenhouse | r5      | time in seconds     |
      | greenhouse | r6      | text for a value    |
      | greenhouse | r7      |                     |
    Then the answers are:
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
  Scenario: The same batch twice in one delivery is stored once
    When a delivery brings:
      | device     | reading | flaw |
      | greenhouse | r1      |      |
      | greenhouse | r1      |      |
    Then 1 is stored and 1 is a duplicate
    And table "device_readings" holds 1 item

  @TL-D3.refused
  Scenario Outline: The document's one transaction for a delivery is more than the store takes: <markers>
    When 100 readings with <markers> are written in one transaction, as documented
    Then the store refuses it with ValidationException because "100"
    And table "device_readings" holds no items

    Examples:
      | markers           |
      | one marker        |
      | a marker for each |

  @TL-D3.each
  Scenario: A full delivery is a transaction for each reading
    When "greenhouse" delivers 100 readings a minute apart
    Then all 100 are stored, in the order in which they were sent
    And the store was asked for 100 transactions of:
      | Put of "processed_batches", only if "attribute_not_exists(batch_id)" |
      | Put of "device_readings"                                             |

  @TL-D3.bounded
  Scenario: No more than 16 readings of a delivery are under way at a time
    Given each TransactWriteItems waits until 16 are there and no more come
    When "greenhouse" delivers 100 readings a minute apart
    Then all 100 are stored, in the order in which they were sent
    And the store was never asked for more than 16 TransactWriteItems at once

  @TL-P7.registered
  Scenario: A device that registered just now may deliver, for that is read consistently
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    And the store was asked for a BatchGetItem of "devices", consistent

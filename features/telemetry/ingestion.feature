Feature: Devices deliver readings
  A device delivers 1 to 100 readings at a time. Each has its own result, so that a bad one does not affect the
  others.

  Background:
    Given the device "greenhouse" is registered

  @TL-P7.together
  Scenario: A reading is stored
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored

  @TL-P7.neither
  Scenario: A reading whose batch id was used before is a duplicate
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers, under the batch id of "r1", the reading "r2" taken 1 minute ago
    Then it is a duplicate

  @TL-R13.other
  Scenario: A reading with the batch id of another device is rejected
    Given the device "cellar" is registered
    And "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "cellar" delivers, under the batch id of "r1", the reading "r2" taken 1 minute ago
    Then it is rejected because of "batch_id: already used by another device"

  @TL-R7.values
  Scenario Outline: A reading with <values> is stored unchanged
    When "greenhouse" delivers a reading with the values '<values>' and the status '<status>'
    Then it is stored
    And its latest reading has the values '<values>' and the status '<status>'

    Examples:
      | values                                                                                                                     | status                                                |
      | {"bme280_temp_c":22.5,"ds18b20_temp_c":21.8,"humidity_pct":45.2,"pressure_hpa":1013.25,"soil_moisture_pct":62.3}           | {"bme280":"ok","ds18b20":"ok","soil_moisture":"ok"}   |
      | {"bme280_temp_c":-40.125}                                                                                                  | {"bme280":"ok","ds18b20":"error"}                     |
      | {"bme280_temp_c":21.123456789012,"pressure_hpa":101325.0625}                                                               | {"bme280":"ok"}                                       |
      | {}                                                                                                                         | {}                                                    |

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
  Scenario: A batch id is not parsed
    Given the device "cellar" is registered
    When "greenhouse" delivers a reading with the batch id "{cellar}_0_0_0"
    Then it is stored

  @TL-D1
  Scenario: The documented example of a batch id is accepted, although the documented characters do not include its colons
    Given the document's example of a batch id
    When "greenhouse" delivers a reading with the batch id "{documented batch id}"
    Then it is stored
    And the API description allows this batch id, while the document's "^[A-Za-z0-9_-]{1,256}$" does not

  @TL-R13.each
  Scenario: The same batch twice in one delivery is stored once
    When a delivery contains:
      | device     | reading | flaw |
      | greenhouse | r1      |      |
      | greenhouse | r1      |      |
    Then 1 is stored and 1 is a duplicate

  @TL-D3.each
  Scenario: A full delivery is stored in the order of sending
    When "greenhouse" delivers 100 readings a minute apart
    Then all 100 are stored, in the order in which they were sent

  @TL-P7.registered
  Scenario: A device can deliver right after its registration
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then it is stored

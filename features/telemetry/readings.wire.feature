Feature: Readings are found by device and time, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given the device "greenhouse" is registered

  @TL-P5
  Scenario: The latest reading of a device is found, on the wire
    Given "greenhouse" has delivered readings taken 30, 10 and 20 minutes ago
    When the latest reading of "greenhouse" is requested
    Then the store received a Query of "device_readings" where "hardware_id = '{greenhouse}'", descending, limit 1

  @TL-P6.bounds
  Scenario: The readings of a period include both ends, on the wire
    Given "greenhouse" has delivered readings taken 50, 40, 30, 20 and 10 minutes ago
    When the readings of "greenhouse" from 40 to 20 minutes ago are requested
    Then the store received a Query of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch BETWEEN '{from}#' AND '{to}#\uffff'", ascending

  @TL-P6.order
  Scenario: Readings can be listed newest first, on the wire
    Given "greenhouse" has delivered readings taken 50, 40, 30, 20 and 10 minutes ago
    When the readings of "greenhouse" from 40 to 20 minutes ago are requested, newest first
    Then the store received a Query of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch BETWEEN '{from}#' AND '{to}#\uffff'", descending

  @TL-R6
  Scenario: The sort key is the time in 13 digits and the batch id
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{time of r1}#{batch of r1}'" has:
      | batch_id     | '{batch of r1}' |
      | timestamp_ms | {time of r1}    |

  @TL-R6
  Scenario: Times with fewer digits are padded, so that text order is time order
    Given the service keeps readings for 36500 days
    When "greenhouse" delivers the reading "early" taken at 946684800000 milliseconds
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '0946684800000#{batch of early}'" has:
      | timestamp_ms | 946684800000 |

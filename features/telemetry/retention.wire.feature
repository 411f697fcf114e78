Feature: Data expires, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given the device "greenhouse" is registered

  @TL-R8.reading @TL-R8.marker @TL-D11
  Scenario: A reading is kept for 90 days after it was taken, its marker for 30 days after its delivery
    When "greenhouse" delivers the reading "r1" taken 180 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | expiration_time | {90 days after r1} |
    And the item of "processed_batches" where "batch_id = '{batch of r1}'" has:
      | expiration_time | {seconds in 30 days} |

  @TL-D9 @needs:move-time @needs:private-store
  Scenario: A reading from a device whose clock restarted in 2000 expires at once
    When "greenhouse" delivers the reading "r1" taken at 946684800000 milliseconds
    Then it is stored
    When 1 day passes
    Then table "device_readings" holds no items

  @TL-R8.reading
  Scenario: The retention is configurable, on the wire
    Given the service keeps readings for 7 days
    When "greenhouse" delivers the reading "r1" taken 180 minutes ago
    Then the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | expiration_time | {7 days after r1} |

  @TL-R8.reading @TL-R8.marker @TL-O1.expiry @needs:move-time @needs:private-store
  Scenario: Markers expire after 30 days, readings after 90, and devices never
    Given "greenhouse" has delivered the reading "r1" taken now
    When 29 days pass
    Then table "processed_batches" holds 1 item
    When 2 days pass
    Then table "processed_batches" holds no items
    And table "device_readings" holds 1 item
    When 58 days pass
    Then table "device_readings" holds 1 item
    When 2 days pass
    Then table "device_readings" holds no items
    And table "devices" holds 1 item
    And table "api_keys" holds 1 item

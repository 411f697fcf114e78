Feature: Devices register, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @TL-P1.first @TL-D6
  Scenario: A device registers for the first time, on the wire
    When the device "greenhouse" registers
    Then the store received an UpdateItem of "devices" where "hardware_id = '{greenhouse}'"
    And the item of "devices" where "hardware_id = '{greenhouse}'" has:
      | confirmation_id     | '{confirmation of greenhouse}' |
      | first_registered_at | '{now}'                        |
      | last_seen_at        | '{now}'                        |
      | last_boot_id        | '{boot of greenhouse}'         |
      | firmware_version    | '1.0.16'                       |
      | gsi1pk              | 'devices'                      |
      | gsi1sk              | '{now}'                        |

  @TL-P1.again
  Scenario: A device that starts again keeps its confirmation and its registration date, on the wire
    Given the device "greenhouse" is registered
    When 2 hours pass
    And "greenhouse" starts again with firmware "1.0.17" and the sensors "bme280, soil_moisture"
    Then the item of "devices" where "hardware_id = '{greenhouse}'" has:
      | confirmation_id  | '{confirmation of greenhouse}'                                       |
      | last_seen_at     | '{now}'                                                              |
      | last_boot_id     | '{boot of greenhouse}'                                               |
      | firmware_version | '1.0.17'                                                             |
      | capabilities     | {features: {offline_buffering: true}, sensors: ['bme280', 'soil_moisture']} |
      | gsi1sk           | '{now}'                                                              |

  @TL-P1.first @TL-P1.again @TL-R9
  Scenario: A device that registers many times at once is confirmed once, on the wire
    When the device "greenhouse" registers 16 times at once
    Then table "devices" holds 1 item

  @TL-P3
  Scenario: A device is looked up by its hardware address, on the wire
    Given the device "greenhouse" is registered
    When "greenhouse" is looked up
    Then the store received a GetItem of "devices" where "hardware_id = '{greenhouse}'", consistent

  @TL-P4.named
  Scenario: A device is given a name, on the wire
    Given the device "greenhouse" is registered
    When "greenhouse" is named "North greenhouse"
    Then the store received an UpdateItem of "devices" where "hardware_id = '{greenhouse}'", setting "SET friendly_name = 'North greenhouse'"
    And the item of "devices" where "hardware_id = '{greenhouse}'" has:
      | friendly_name | 'North greenhouse' |

  @TL-P4.named
  Scenario: A device keeps its name when it starts again
    Given the device "greenhouse" is registered
    And "greenhouse" is named "North greenhouse"
    When "greenhouse" starts again with firmware "1.0.17" and the sensors "bme280"
    Then the item of "devices" where "hardware_id = '{greenhouse}'" has:
      | friendly_name | 'North greenhouse' |

  @TL-P4.refused
  Scenario: Naming an unregistered device creates no item
    Given a device "stranger" that is not registered
    When "stranger" is named "Nobody"
    Then it is not found
    And table "devices" holds no items

  @TL-R1
  Scenario Outline: The hardware address "<address>" is refused
    When a device with the hardware address "<address>" registers
    Then it is refused as invalid
    And the store received no UpdateItem of "devices"
    And table "devices" holds no items

    Examples:
      | address              |
      | aa:bb:cc:dd:ee:ff    |
      | AA:BB:CC:DD:EE:Ff    |
      | AA-BB-CC-DD-EE-FF    |
      | AABBCCDDEEFF         |
      | AA:BB:CC:DD:EE       |
      | AA:BB:CC:DD:EE:FF:00 |
      | AA:BB:CC:DD:EE:GG    |
      |                      |

  @TL-R2
  Scenario Outline: The boot id "<boot>" is refused
    When the device "greenhouse" registers with the boot id "<boot>"
    Then it is refused as invalid
    And table "devices" holds no items

    Examples:
      | boot                                 |
      | 7c9e6679-7425-10de-944b-e07fc1f90ae7 |
      | 7c9e6679-7425-40de-144b-e07fc1f90ae7 |
      | 7c9e6679742540de944be07fc1f90ae7     |
      | 7c9e6679-7425-40de-944b-e07fc1f90aeg |
      | boot-1                               |

  @TL-R2
  Scenario: The service's ids are UUIDs of version 4
    Given the device "greenhouse" is registered
    And the administrator creates the API key "fleet"
    Then "{confirmation of greenhouse}" is a UUID of version 4
    And "{id of fleet}" is a UUID of version 4

  @TL-R5
  Scenario: Each kind of time has its own format
    Given the device "greenhouse" is registered
    When "greenhouse" delivers the reading "r1" taken 3 minutes ago
    Then the item of "devices" where "hardware_id = '{greenhouse}'" has:
      | last_seen_at | '{now}' |
    And the item of "processed_batches" where "batch_id = '{batch of r1}'" has:
      | received_at     | '{now}'           |
      | expiration_time | {seconds in 30 days} |
    And the item of "device_readings" where "hardware_id = '{greenhouse}' AND ts_batch = '{key of r1}'" has:
      | timestamp_ms    | {time of r1}          |
      | expiration_time | {expiry of r1}        |

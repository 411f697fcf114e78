Feature: The fleet under cloud behaviours
  Indexes that lag, partitions with a limit and tables that change slowly: the service keeps its decisions about them
  on an emulator that shows all of this, with a clock that stands still until the scenario moves it.

  @TL-D4.patience @needs:commands
  Scenario: A new key is unknown until its index catches up
    Given the service on an emulator with the cloud behaviour lag
    When the administrator creates the API key "fleet"
    And the key "fleet" is checked
    Then it is refused as unauthorized
    And the store received 3 requests: Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
    And the store received no GetItem of "api_keys"
    When 5 seconds pass
    And the key "fleet" is checked
    Then it is accepted

  @TL-D4.patience @needs:commands
  Scenario: The service waits a moment for the index of a new key
    Given the service on an emulator with the cloud behaviour lag, whose clock runs while the service waits
    When the administrator creates the API key "fleet"
    And the key "fleet" is checked
    Then it is accepted

  @TL-D4.table @needs:commands
  Scenario: A revoked key is refused at once, before its index catches up
    Given the service on an emulator with the cloud behaviour lag
    And the administrator creates the API key "fleet"
    And 5 seconds pass
    When the administrator revokes the key "fleet"
    Then the index still shows the key "fleet" as active
    When the key "fleet" is checked
    Then it is refused as unauthorized

  @TL-D5.headroom @needs:commands
  Scenario: The writes of 10,000 devices are far below the limit of the list's partition
    Given the service on an emulator with the cloud behaviour throttling
    When 33 devices register within one second
    Then none of them was refused
    And no writes of "devices" were throttled

  @TL-D5.headroom @needs:commands
  Scenario: The list's partition takes 1,000 writes a second, and more are refused as too busy
    Given the service on an emulator with the cloud behaviour throttling
    And the device "greenhouse" is registered
    And 10 minutes pass
    When 1000 devices are written into the listing within one second
    And the device "greenhouse" registers
    Then the response is 503
    And the response contains "too busy"
    And some writes of "devices" were throttled
    When 10 seconds pass
    And the device "greenhouse" registers
    Then it is recognised

  @TL-O2.added @needs:commands
  Scenario: An index that takes minutes to create delays no request
    Given the service on an emulator with the cloud behaviour states
    And the device "greenhouse" is registered
    And "greenhouse" has delivered 20 readings a minute apart
    When the addition of the index "by_boot" on "boot_id, ts_batch" to "device_readings" is started
    Then "device_readings" is UPDATING
    And the index "by_boot" of "device_readings" cannot be queried yet
    When "greenhouse" delivers 20 more readings
    Then 20 are stored and 0 are duplicates
    And the latest reading of "greenhouse" can be read
    When 5 minutes pass
    Then "device_readings" is ACTIVE
    And the index "by_boot" of "device_readings" has every reading

  @TL-O2.removed @needs:commands
  Scenario: An index that takes minutes to delete delays no request
    Given the service on an emulator with the cloud behaviour states
    And the device "greenhouse" is registered
    And "greenhouse" has delivered 20 readings a minute apart
    And the addition of the index "by_boot" on "boot_id, ts_batch" to "device_readings" is started
    And 5 minutes pass
    When the removal of the index "by_boot" of "device_readings" is started
    And "greenhouse" delivers 20 more readings
    Then 20 are stored and 0 are duplicates
    When 5 minutes pass
    Then table "device_readings" has no indexes
    And the latest reading of "greenhouse" can be read

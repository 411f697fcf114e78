Feature: The fleet meets what the cloud does
  Indexes that lag, partitions with a limit and tables that take their time: the service is held to what it was decided for them
  on an emulator that does all of it, and whose clock stands still until the scenario moves it.

  @TL-D4.patience @needs:commands
  Scenario: A new key is unknown until its index has heard of it
    Given the service on an emulator like the cloud in lag
    When the administrator makes the API key "fleet"
    And the key "fleet" is checked
    Then it is refused for want of a key
    And the store was asked for 3 times Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
    And the store was never asked for a GetItem of "api_keys"
    When 5 seconds pass
    And the key "fleet" is checked
    Then it is accepted

  @TL-D4.patience @needs:commands
  Scenario: The service waits a moment for the index of a new key
    Given the service on an emulator like the cloud in lag, whose clock goes on while the service waits
    When the administrator makes the API key "fleet"
    And the key "fleet" is checked
    Then it is accepted

  @TL-D4.table @needs:commands
  Scenario: A revoked key is refused at once, though its index has not heard of it
    Given the service on an emulator like the cloud in lag
    And the administrator makes the API key "fleet"
    And 5 seconds pass
    When the administrator revokes the key "fleet"
    Then the index still shows the key "fleet" as active
    When the key "fleet" is checked
    Then it is refused for want of a key

  @TL-D5.headroom @needs:commands
  Scenario: What 10,000 devices write in a second is far from the limit of the listing's one partition
    Given the service on an emulator like the cloud in throttling
    When 33 devices register within one second
    Then none of them was refused
    And 0 writes of "devices" were throttled

  @TL-D5.headroom @needs:commands
  Scenario: The listing's one partition takes 1,000 writes a second, and the next one is told to come again
    Given the service on an emulator like the cloud in throttling
    And the device "greenhouse" is registered
    And 10 minutes pass
    When 1000 devices are written into the listing within one second
    And the device "greenhouse" registers
    Then the answer is 503
    And the answer says "too busy"
    When 10 seconds pass
    And the device "greenhouse" registers
    Then it is recognised

  @TL-O2.added @needs:commands
  Scenario: An index that takes minutes to be made keeps nobody waiting
    Given the service on an emulator like the cloud in states
    And the device "greenhouse" is registered
    And "greenhouse" has delivered 20 readings a minute apart
    When the addition of the index "by_boot" on "boot_id, ts_batch" to "device_readings" is begun
    Then "device_readings" is UPDATING
    And the index "by_boot" of "device_readings" cannot be asked yet
    When "greenhouse" delivers 20 readings more
    Then 20 are stored and 0 are duplicates
    And the latest reading of "greenhouse" can be asked for
    When 5 minutes pass
    Then "device_readings" is ACTIVE
    And the index "by_boot" of "device_readings" has every reading

  @TL-O2.removed @needs:commands
  Scenario: An index that takes its time to go keeps nobody waiting
    Given the service on an emulator like the cloud in states
    And the device "greenhouse" is registered
    And "greenhouse" has delivered 20 readings a minute apart
    And the addition of the index "by_boot" on "boot_id, ts_batch" to "device_readings" is begun
    And 5 minutes pass
    When the removal of the index "by_boot" of "device_readings" is begun
    And "greenhouse" delivers 20 readings more
    Then 20 are stored and 0 are duplicates
    When 5 minutes pass
    Then table "device_readings" has no indexes
    And the latest reading of "greenhouse" can be asked for

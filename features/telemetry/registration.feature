Feature: Devices register
  A device registers each time it starts. The service identifies it by its hardware address, confirms it once, and
  keeps what it reported last.

  @TL-P1.first @TL-D6
  Scenario: A device registers for the first time
    When the device "greenhouse" registers
    Then it is registered as new
    And it was first registered now and last seen now

  @TL-P1.again
  Scenario: A device that starts again keeps its confirmation and its registration date
    Given the device "greenhouse" is registered
    When 2 hours pass
    And "greenhouse" starts again with firmware "1.0.17" and the sensors "bme280, soil_moisture"
    Then it is recognised
    And it keeps its confirmation id and registration date
    And it was last seen now

  @TL-P1.first @TL-P1.again @TL-R9
  Scenario: A device that registers many times at once is confirmed once
    When the device "greenhouse" registers 16 times at once
    Then every response has the same confirmation

  @TL-P3
  Scenario: A device is looked up by its hardware address
    Given the device "greenhouse" is registered
    When "greenhouse" is looked up
    Then the response is the device "greenhouse"

  @TL-P3
  Scenario: A device that never registered is not found
    Given a device "stranger" that is not registered
    When "stranger" is looked up
    Then it is not found

  @TL-P4.named
  Scenario: A device is given a name
    Given the device "greenhouse" is registered
    When "greenhouse" is named "North greenhouse"
    Then the response is the device "greenhouse"

  @TL-P4.refused
  Scenario: A device that never registered cannot be named
    Given a device "stranger" that is not registered
    When "stranger" is named "Nobody"
    Then it is not found

Feature: Operators are told which devices write too much
  A device that writes more than once a second for most of a minute should be sharded. The service names it.

  Background:
    Given the device "greenhouse" is registered
    And the device "cellar" is registered

  @TL-R15.named
  Scenario: The device that writes twice a second for a minute is named, with the advice
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers 2 readings a second for a minute
    And the administrator asks for the hottest devices
    Then the answer's "devices.0.hardware_id" is "{greenhouse}"
    And the answer's "devices.0.hot" is "true"
    And the answer's "devices.0.writes" is "120"
    And the answer says "sharding"
    And the answer's "devices.1.hardware_id" is "{cellar}"
    And the answer's "devices.1.hot" is "false"
    And the answer has no "devices.1.advice"

  @TL-R15.named
  Scenario: One write a second is within the limit
    When "greenhouse" delivers 1 readings a second for a minute
    And the administrator asks for the hottest devices
    Then the answer's "devices.0.writes" is "60"
    And the answer's "devices.0.hot" is "false"

  @TL-R15.sustained
  Scenario: A device that comes back with many readings at once is not hot
    When "greenhouse" delivers 100 readings a minute apart
    And the administrator asks for the hottest devices
    Then the answer's "devices.0.writes" is "100"
    And the answer's "devices.0.hot" is "false"

  @TL-R15.minute
  Scenario: What was written more than a minute ago does not count
    When "greenhouse" delivers 2 readings a second for a minute
    And 1 minute passes
    And the administrator asks for the hottest devices
    Then the answer has no "devices.0.hardware_id"

  @TL-R15.stored
  Scenario: What is there already does not count
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers "r1" again
    And the administrator asks for the hottest devices
    Then the answer's "devices.0.writes" is "1"

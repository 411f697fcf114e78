Feature: Operators see which devices write too much
  A device that writes more than once a second for most of a minute should be sharded. The service reports it.

  Background:
    Given the device "greenhouse" is registered
    And the device "cellar" is registered

  @TL-R15.named
  Scenario: A device that writes twice a second for a minute is reported as hot, with advice
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers 2 readings a second for a minute
    And the administrator lists the hottest devices
    Then the response's "devices.0.hardware_id" is "{greenhouse}"
    And the response's "devices.0.hot" is "true"
    And the response's "devices.0.writes" is "120"
    And the response contains "sharding"
    And the response's "devices.1.hardware_id" is "{cellar}"
    And the response's "devices.1.hot" is "false"
    And the response has no "devices.1.advice"

  @TL-R15.named
  Scenario: One write a second is within the limit
    When "greenhouse" delivers 1 reading a second for a minute
    And the administrator lists the hottest devices
    Then the response's "devices.0.writes" is "60"
    And the response's "devices.0.hot" is "false"

  @TL-R15.sustained
  Scenario: A device that delivers a backlog at once is not hot
    When "greenhouse" delivers 100 readings a minute apart
    And the administrator lists the hottest devices
    Then the response's "devices.0.writes" is "100"
    And the response's "devices.0.hot" is "false"

  @TL-R15.minute
  Scenario: Writes from more than a minute ago do not count
    When "greenhouse" delivers 2 readings a second for a minute
    And 1 minute passes
    And the administrator lists the hottest devices
    Then the response has no "devices.0.hardware_id"

  @TL-R15.stored
  Scenario: Duplicates do not count
    Given "greenhouse" has delivered the reading "r1" taken 3 minutes ago
    When "greenhouse" delivers "r1" again
    And the administrator lists the hottest devices
    Then the response's "devices.0.writes" is "1"

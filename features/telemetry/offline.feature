Feature: The fleet reconnects
  Devices without a connection store their readings and deliver them when it returns.

  @TL-O3
  Scenario: Hours of readings arrive in any order, each stored once
    Given a fleet of 8 devices that has been offline for 6 hours, with a reading every 5 minutes
    When the connection returns and each device delivers all it has, in its own order
    Then the service has each of the 576 readings once
    And each device's readings are read back in the order of their times

  @TL-O3 @TL-R9.lost
  Scenario: Devices deliver again after lost responses
    Given a fleet of 4 devices that has been offline for 6 hours, with a reading every 5 minutes
    And the service's next 6 responses to deliveries are lost
    When the connection returns and each device delivers until all is acknowledged
    Then the service has each of the 288 readings once

  @TL-O3
  Scenario: What was delivered before the connection broke is not stored again
    Given a fleet of 4 devices that has been offline for 2 hours, with a reading every 5 minutes
    And each device had delivered half of them
    When the connection returns and each device delivers all it has, in its own order
    Then 48 are stored and 48 are duplicates
    And the service has each of the 96 readings once

Feature: The fleet comes back
  Devices without a connection keep their readings and deliver them when it returns.

  @TL-O3
  Scenario: Hours of readings arrive in any order, nothing lost and nothing twice
    Given a fleet of 8 devices that has been cut off for 6 hours, with a reading each 5 minutes
    When the connection returns and each device delivers all it has, in an order of its own
    Then the service has each of the 576 readings once
    And each device's readings are read back in the order of their times

  @TL-O3 @TL-R9.lost
  Scenario: Answers are lost on the way back, so devices deliver again
    Given a fleet of 4 devices that has been cut off for 6 hours, with a reading each 5 minutes
    And the service's next 6 answers to deliveries are lost
    When the connection returns and each device delivers until all is acknowledged
    Then the service has each of the 288 readings once

  @TL-O3
  Scenario: What was delivered before the connection broke is not stored again
    Given a fleet of 4 devices that has been cut off for 2 hours, with a reading each 5 minutes
    And each device had delivered half of them without hearing the answer
    When the connection returns and each device delivers all it has, in an order of its own
    Then 48 are stored and 48 are duplicates
    And the service has each of the 96 readings once

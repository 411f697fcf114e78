Feature: Deliveries update a device's activity
  The operator of the fleet sees when each device was last active, by a registration or a delivery.

  Background:
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 10 minutes pass

  @TL-D7.noted
  Scenario: A device that delivers moves to the top of the list
    When "cellar" delivers the reading "r1" taken 3 minutes ago
    And the devices are listed
    Then the list is "cellar, attic"
    When "cellar" is looked up
    Then it was last seen now

  @TL-D7.noted
  Scenario: A device that delivers a duplicate is active too
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When 10 minutes pass
    And "cellar" delivers "r1" again
    And "cellar" is looked up
    Then it was last seen now

  @TL-D7.seldom
  Scenario: Activity is recorded at most once in 5 minutes
    Given "cellar" has delivered the reading "r1" taken 3 minutes ago
    When 4 minutes pass
    And "cellar" delivers the reading "r2" taken 3 minutes ago
    And "cellar" is looked up
    Then it was last seen 4 minutes ago
    When 1 minute passes
    And "cellar" delivers the reading "r3" taken 3 minutes ago
    And "cellar" is looked up
    Then it was last seen now

  @TL-D7.delivered
  Scenario: A delivery is stored even if its activity cannot be recorded
    Given the next activity of a device cannot be recorded
    When "cellar" delivers the reading "r1" taken 3 minutes ago
    Then it is stored
    When "cellar" is looked up
    Then it was last seen 11 minutes ago

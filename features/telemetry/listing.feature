Feature: Devices are listed by their last activity
  The operator of the fleet sees the most recently active devices first.

  @TL-P2.order
  Scenario: The most recently seen device is listed first
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And the device "garden" is registered
    When the devices are listed
    Then the list is "garden, attic, cellar"

  @TL-P2.order @TL-P1.again
  Scenario: A device that starts again moves to the top
    Given the device "cellar" is registered
    And 1 minute passes
    And the device "attic" is registered
    And 1 minute passes
    And "cellar" starts again with firmware "1.0.17" and the sensors "bme280"
    When the devices are listed
    Then the list is "cellar, attic"

  @TL-P2.pages
  Scenario: A long list comes in pages, each device once
    Given 25 devices that registered a minute apart
    When the devices are listed in pages of 10
    Then the pages have 10, 10 and 5 devices
    And every device is on one page, newest first

  @TL-P2.pages
  Scenario: Devices seen in the same second are each listed once
    Given 25 devices that registered at the same time
    When the devices are listed in pages of 10
    Then the pages have 10, 10 and 5 devices
    And every device is on one page

  @TL-P2.pages
  Scenario: An invalid cursor for devices is refused
    When the devices are listed with an invalid cursor
    Then it is refused as a bad request

Feature: Devices
  A user has up to three devices that receive pushes. A fourth one replaces the one seen longest ago.

  @NT-P10
  Scenario: Active devices are listed, most recently seen first
    Given "ana" has registered the devices "phone, tablet", a minute apart
    And "ana" revokes the device "phone"
    And "ana" has registered the devices "watch", a minute apart
    Then "ana" has the devices "watch, tablet"

  @NT-P11.token
  Scenario: A device gets a new token
    Given "ana" has registered the devices "phone", a minute apart
    When "ana" gives the device "phone" the token "another"
    Then the request succeeds
    And the response's "pushToken" is "another"
    And the response's "lastSeenAt" is "{now in milliseconds}"

  @NT-P11.own
  Scenario: The token of an unknown or foreign device cannot be renewed
    Given "bob" registers the device "phone"
    When "ana" gives the device "phone" the token "another"
    Then it is not found

  @NT-P12.eviction
  Scenario: A fourth device replaces the one seen longest ago
    Given "ana" has registered the devices "one, two, three", a minute apart
    And "ana" gives the device "one" the token "seen-again"
    And 1 minute passes
    When "ana" registers the device "four"
    Then it is created
    And "ana" has the devices "four, one, three"

  @NT-P12.same
  Scenario: A device that registers again is not duplicated
    Given "ana" has registered the devices "phone", a minute apart
    When "ana" registers the device "phone"
    Then the request succeeds
    And "ana" has the devices "phone"

  @NT-R8
  Scenario: A user never has more than three devices, however many register at once
    When 12 devices of "ana" register at once
    Then "ana" has 3 devices

  @NT-P12.dead
  Scenario: A phone without the app gets no more pushes
    Given "ana" has no quiet hours
    And "ana" has the phone "pixel"
    And the app is removed from "pixel"
    When "bob" likes a post of "ana"
    And a worker runs
    Then the event is COMPLETED
    And "ana" has 0 devices

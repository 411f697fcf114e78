Feature: Access to the notifications
  Every operation of the OpenAPI document is called with every kind of credential. docs/access.md lists the expected
  results.

  @NT-P6.access @NT-R10.operator
  Scenario: Requests to the notifications without a valid credential are refused
    When every operation is called with each credential that does not allow it
    Then each call is refused as the OpenAPI document says
    And no response contains data of "ana"
    And nothing was read except the credential

  @NT-P6.access @NT-P8.own @NT-P11.own
  Scenario: No operation of the notifications gives access to another user's data
    When another user calls every operation on "ana"'s resources
    Then each call finds nothing, or the caller's own resources
    And no response contains data of "ana"
    And "ana"'s resources are unchanged
    And nothing was read except to check the owner

  @NT-P6.access @NT-R10.operator
  Scenario: Every operation of the notifications accepts the credentials that allow it
    When every operation is called with each credential that allows it
    Then each call succeeds
    And the permissions match docs/access.md

  @NT-P6.access
  Scenario: Only the documented operations of the notifications are public
    When every public operation is called with every credential
    Then each call gets a response, and the operation is documented as public
    And no response contains data of "ana"

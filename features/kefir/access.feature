Feature: Access to the kefir tracker
  Every operation of the OpenAPI document is called with every kind of credential. docs/access.md lists the expected
  results.

  @KF-R8.access
  Scenario: Requests to the kefir tracker without a valid credential are refused
    When every operation is called with each credential that does not allow it
    Then each call is refused as the OpenAPI document says
    And no response contains data of "ana"
    And nothing was read except the credential

  @KF-R8.others
  Scenario: No operation of the kefir tracker gives access to another user's data
    When another user calls every operation on "ana"'s resources
    Then each call finds nothing, or the caller's own resources
    And no response contains data of "ana"
    And "ana"'s resources are unchanged
    And nothing was read except to check the owner

  @KF-R8.access
  Scenario: Every operation of the kefir tracker accepts the credentials that allow it
    When every operation is called with each credential that allows it
    Then each call succeeds
    And the permissions match docs/access.md

  @KF-R8.access @KF-R8.private
  Scenario: Only the documented operations of the kefir tracker are public
    When every public operation is called with every credential
    Then each call gets a response, and the operation is documented as public
    And no response contains data of "ana"

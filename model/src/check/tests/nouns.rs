//! Common nouns as resources: what shops, hotels, schools, hospitals, media and carriers have.

use super::{resource, shop};
use serde_json::json;

const NOUNS: &str = "
    Account Address Agenda Agreement Allergy Amenity Announcement Answer Appointment Arrival Article Asset
    Assignment Attendance Attribute Auction Audience Author Badge Bank Barcode Basket Bed Beneficiary Bill Blog
    Board Book Booking Brand Branch Budget Building Bundle Bus Campaign Candidate Card Cargo Carrier Cart Case
    Category Chapter Charge Chat Child Class Clinic Comment Company Complaint Component Condition Contact Container
    Contract Contribution Country County Coupon Course Credit Currency Customer Data Date Dataset Day Delivery
    Department Deposit Depot Device Diagnosis Discount Dish Doc Doctor Document Domain Donation Donor Driver Email
    Employee Enquiry Episode Equipment Event Exam Exchange Expense Facility Fare Feature Fee Feedback File Film
    Flight Folder Furniture Gallery Genre Goal Grade Grant Group Guest Guide History Holiday Hotel House Household
    Identity Image Incident Index Ingredient Insurance Interview Inventory Invoice Issue Item Job Journey Key Label
    Language Lead League Leave Lesson Letter Licence Lift Limit Line Link List Loan Location Log Luggage Machine
    Mail Map Match Material Meal Media Medicine Meeting Member Menu Merchandise Message Meter Metric Milestone
    Mission Model Module Movie Museum News Note Notice Nurse Object Offer Office Option Order Outlet Owner Package
    Page Parcel Parent Park Parking Part Partner Passenger Patient Pause Payment Person Phase Phone Photo Place Plan
    Player Playlist Podcast Policy Poll Port Position Post Prescription Price Priority Prize Process Product Profile
    Program Progress Project Promotion Property Purchase Quality Quantity Question Queue Quiz Quote Rate Rating
    Reason Receipt Recipe Record Region Rent Rental Reply Report Request Reservation Resource Response Result Return
    Review Reward Ride Road Role Room Route Rule Sale Sample Schedule School Score Season Seat Section Series
    Service Session Setting Shelf Shift Ship Shipment Shop Size Slot Species Sponsor Staff Stage Station Status Step
    Stock Stop Storage Store Story Stream Street Student Subject Subscription Supplier Supply Survey Symptom Table
    Tag Target Task Tax Teacher Team Template Tenant Term Test Text Thread Ticket Time Timestamp Timezone Title Toll
    Tool Topic Tour Track Trade Train Training Transaction Transfer Translation Treatment Trip Truck Type Unit
    Update Vaccine Value Van Variant Vehicle Vendor Venue Version Video Visit Visitor Vote Voucher Wallet Ward
    Warehouse Warranty Waste Watch Weather Wife Window Wish Workflow Workshop Zone
";

/// Codes of faults that a name can have.
const OF_NAMES: [&str; 7] =
    ["pascal-case", "singular-name", "plural-path", "path-clash", "reserved-path", "reserved-word", "name-clash"];

#[test]
fn common_nouns_are_names_of_resources() {
    let fields = || json!({ "fields": { "note": { "type": "string" } } });
    let nouns: Vec<_> = NOUNS.split_whitespace().collect();
    assert!(nouns.len() > 300);
    for noun in &nouns {
        let faults = super::faults(shop([resource(noun, fields())]));
        let faults: Vec<_> = faults.iter().filter(|fault| OF_NAMES.contains(&fault.code.code())).collect();
        assert!(faults.is_empty(), "{noun}: {faults:?}");
    }
    // all in one service: no two share a path
    let faults = super::faults(shop(nouns.iter().map(|noun| resource(noun, fields()))));
    let clash = faults.iter().find(|fault| fault.code.code() == "path-clash");
    assert_eq!(clash, None);
}

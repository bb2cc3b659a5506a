/**
 * Every visible string of the specification, by section, appears in the product. A string with a
 * variable part is split there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Separated by bars. */
const specStrings: Readonly<Record<string, string>> = {
  '1. Splash': 'Your ride to faster deliveries | Fast • Reliable • Secure',
  '2. Public': `
    Switched to Sign Up form | Switched to Sign In form | Please log in to access this page. |
    404 Not Found
  `,
  '2. Sign-in screen': `
    Welcome Back | Email | Password | Trust This Device | Sign In | Signing In... | Join Us Today
  `,
  '2. Sign-up screen': `
    Create Account | Register As | User | Delivery Personnel | Confirm Password | Sign Up |
    Creating Account...
  `,
  '2. Protected routes': `
    Payment successful! | Payment failed. Please try again. | Coming Soon ...
  `,
  '2. Shell children': `
    Home | Tracking | Deliveries | Account | Account Name | Personal Info | Login & Security
  `,
  '2. Sidebar': `
    My Account | Payment | Promotion | My Deliveries | Support | About | Log Out |
    Logging Out... | Logged out successfully!
  `,
  '2. Home bottom sheet': `
    Add package | Where to? | lets start shipping | Welcome back, | View Available Packages
  `,
  '2. Deposit': `
    Proceed to Payment | Processing... | Verifying payment... | Deposit of | successful!
  `,
  '2. Create package': `
    Enter Locations | Recipient Details | Product Information | Pricing and Payment | Next |
    Previous | Create Package | Profile Incomplete |
    Please complete your profile information before creating a package. | Update Profile
  `,
  '2. Package card and detail': `
    View Details | Accept Delivery | Already Assigned | Reject Delivery | Package Delivered |
    Delete Package
  `,
  '2. Other screens': 'Save Changes | No users found | Edit Profile | Change Password',
  '4. Delivery status': 'Pending | In Transit | Delivered | Cancelled',
  '5. Validation rules': `
    Please enter a valid email address. | Password must be at least 8 characters. |
    Passwords do not match. | Minimum deposit is ₦100 |
    Please fill in both pickup and delivery addresses. |
    Please fill in recipient name and phone number. |
    Please fill in description and pickup date. | Required fields are missing. |
    New password is required | Password must be at least 6 characters | Passwords do not match |
    This package has already been assigned |
    A delivery personnel is already assigned to this package. Cannot delete.
  `,
  '8. Sign-in and sign-up': `
    Email is not registered. | Incorrect password. | Login failed. Please try again. |
    Registration failed. Please try again. | Login successful! Redirecting to dashboard... |
    Account created! Redirecting to Sign In...
  `,
  '8. Session': `
    Your login has expired. Please log in again. | Session Expired | Go to Login Page |
    Logout failed. Please try again.
  `,
  '8. Payment and packages': `
    Payment failed. Try again. | Failed to accept package. Please try again. |
    Package created successfully! | Failed to create package. Please try again. |
    Reject Delivery Assignment | Are you sure you want to reject this delivery assignment? |
    Confirm | Cancel | Delivery rejected successfully | Failed to reject delivery: |
    This action cannot be undone. The package will be permanently removed. |
    Failed to delete package: | Package marked as delivered!
  `,
  '8. User and password': `
    User updated successfully! | Failed to update user | Updating password... |
    Password updated successfully! | Failed to update password
  `,
  '8. Load errors': `
    Failed to load packages. | Error: | Failed to load package details | No package data found |
    User not found | An error occurred | Update failed | Delete failed
  `,
  '8. Empty states': `
    No pending packages found. | You have no pending packages |
    You haven't sent any packages yet | All your packages are pending |
    You only have pending packages | No packages are currently assigned to you
  `,
  '9. Payment methods and defaults': `
    Cash on Delivery | Pay with App | Not specified | Unpaid | Paid
  `,
};

const product = ['src', 'server/http', 'server/modules', 'server/plugins']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  )
  .concat('index.html')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  .replaceAll("\\'", "'");

/** As a complete string, or at the start or end of a template or element. */
function isSaid(text: string): boolean {
  const literal = text.replace(/[.?*+^$()[\]{}|\\/]/g, '\\$&');
  return new RegExp(`['"\`}>]${literal}|${literal}['"\`$<]`).test(product);
}

test.each(Object.entries(specStrings))('the strings of section %s', (_, listed) => {
  const strings = listed.split('|').map((text) => text.trim());
  expect(strings.filter((text) => !isSaid(text))).toEqual([]);
});

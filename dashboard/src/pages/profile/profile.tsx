import { currentUser } from '../../api/session.ts'
import { Card, Page } from '../../ui/page.tsx'

/** The person who is signed in: address, password, second factor and sessions. */
export default function Profile() {
  const { email } = currentUser()
  return (
    <Page title="Profile and security">
      <Card title="Address">
        <p>{email ?? 'You have not set an email address yet.'}</p>
      </Card>
    </Page>
  )
}

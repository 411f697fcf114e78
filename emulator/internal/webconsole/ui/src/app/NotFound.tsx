import { Link } from './router'

/** NotFound is the page of an address that names none. */
export function NotFound() {
  return <Missing title="Page not found" href="/" link="Go to Home">The console has no page at this address.</Missing>
}

/** Missing stands where a page would be whose subject does not exist: what is missing, and a link to what exists. */
export function Missing({ title, children, href, link }: {
  title: React.ReactNode; children: React.ReactNode; href: string; link: string
}) {
  return (
    <div className="empty">
      <h1>{title}</h1>
      <p>{children}</p>
      <Link className="button" href={href}>{link}</Link>
    </div>
  )
}

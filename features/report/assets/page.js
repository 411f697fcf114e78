const form = document.querySelector('.filter');
if (form) {
  const rows = [...document.querySelectorAll('#requirements [data-all-passed]')];
  const systems = [...document.querySelectorAll('#requirements .system')];
  const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));
  form.hidden = false;
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('input', () => {
    const text = form.elements.text.value.toLowerCase();
    for (const row of rows) {
      row.hidden = !words.get(row).includes(text) || (form.elements['hide-passed'].checked && row.dataset.allPassed === 'true');
    }
    for (const system of systems) {
      system.hidden = !system.querySelector('[data-all-passed]:not([hidden])');
      system.open = true;
    }
  });
}

// On a phone, systems without failures are collapsed.
if (matchMedia('(max-width: 720px)').matches) {
  for (const system of document.querySelectorAll('.system')) {
    system.open = !!system.querySelector('summary > .failed');
  }
}

// A link to a system, a requirement or a clause expands it.
const show = () => {
  let part = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest('details');
  for (const target = part; part; part = part.parentElement.closest('details')) {
    part.open = true;
    if (!part.parentElement.closest('details')) target.scrollIntoView();
  }
};
addEventListener('hashchange', show);
show();

// Printed pages have everything expanded.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const part of opened) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of opened) part.open = false;
});

/**
 * The page: what is around every screen, and which screen an address is. A screen is a class with a `title`, `update`
 * (another query of the same address), `render` and `leave`; the routes below are all that knows them.
 *
 * @import { Route } from './router.js'
 */
import { html, nothing, render } from './vendor/lit-html.js';
import { Interface } from './interface.js';
import { currentRoute } from './router.js';
import { drawWith, refresh, settings } from './store.js';
import { closeMenu, navigation } from './nav.js';
import { settingsBar } from './settings.js';
import { HomeScreen } from './home.js';
import { ResourceScreen } from './resource.js';
import { OperationScreen } from './operation.js';
import { EventsScreen } from './events.js';
import { ErrorsScreen } from './errors.js';
import { t } from './texts.js';

/** @typedef {{ title: string, update: (route: Route) => void, render: () => unknown, leave: () => void }} Screen */

/** @type {Record<string, new (api: Interface, route: Route) => Screen>} */
const SCREENS = {
  '': HomeScreen,
  resources: ResourceScreen,
  operations: OperationScreen,
  events: EventsScreen,
  errors: ErrorsScreen,
};

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {Screen | null} */
let screen = null;
/** @type {Route} */
let route = currentRoute();

/** @param {Interface} api */
function start(api) {
  settings.version = api.versions[0] ?? '';
  root.replaceChildren();
  const show = () => {
    const next = currentRoute();
    const isSame = screen !== null && next.screen === route.screen && next.name === route.name;
    route = next;
    if (isSame) screen?.update(next);
    else open(api, next);
  };
  drawWith(() => draw(api));
  window.addEventListener('hashchange', show);
  open(api, route, true);
}

/** @param {Interface} api @param {Route} next @param {boolean} [isFirst] */
function open(api, next, isFirst = false) {
  screen?.leave();
  closeMenu();
  const Kind = SCREENS[next.screen] ?? HomeScreen;
  try {
    screen = new Kind(api, next);
  } catch {
    // an address of something that the service does not have any more
    screen = new HomeScreen(api);
  }
  draw(api);
  if (isFirst) return;
  window.scrollTo(0, 0);
  // readers that hear the page learn where they are
  document.querySelector('h1')?.focus();
}

/** @param {Interface} api */
function draw(api) {
  document.documentElement.lang = settings.language;
  document.title = screen?.title === api.title ? api.title : `${screen?.title} · ${api.title}`;
  const skip = (event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  const page = html`
    <a class="skip" href="#main" @click=${skip}>${t('skip')}</a>
    <header class="top">
      <a class="brand" href="#/"><span class="mark" aria-hidden="true"></span>${api.title}</a>
      ${settingsBar(api)}
    </header>
    <div class="frame">
      ${navigation(api, route)}
      <main id="main" tabindex="-1">${screen?.render() ?? nothing}</main>
    </div>
  `;
  render(page, root);
}

Interface.load().then(start, (error) => {
  drawWith(() => render(html`<p class="wait" role="alert">${t('noInterface')} ${String(error)}</p>`, root));
  refresh();
});

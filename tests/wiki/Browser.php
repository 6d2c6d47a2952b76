<?php

namespace WRStats\Tests;

/** Speaks HTTP with a wiki, and keeps its cookies. */
final class Browser
{
    private array $cookies = [];

    public function __construct(private readonly string $address)
    {
    }

    /** The same visitor at another server of the wiki. */
    public function at(string $address): self
    {
        $there = new self($address);
        $there->cookies = $this->cookies;

        return $there;
    }

    /** Answers the body. */
    public function get(string $path): string
    {
        return $this->request('GET', $path, '');
    }

    /** One call of api.php. */
    public function api(array $parameters): array
    {
        $body = $this->request('POST', '/api.php', http_build_query($parameters + ['format' => 'json', 'formatversion' => 2]));

        return json_decode($body, true) ?? ['error' => ['code' => 'no JSON', 'info' => $body]];
    }

    public function logIn(string $user): void
    {
        $token = $this->api(['action' => 'query', 'meta' => 'tokens', 'type' => 'login'])['query']['tokens']['logintoken'];
        $answer = $this->api(['action' => 'login', 'lgname' => $user, 'lgpassword' => Wiki::PASSWORD, 'lgtoken' => $token]);
        if (($answer['login']['result'] ?? null) !== 'Success') {
            throw new \RuntimeException('log-in failed: ' . json_encode($answer));
        }
    }

    /** "Success", or the error's code. */
    public function edit(string $title, string $text): string
    {
        $token = $this->api(['action' => 'query', 'meta' => 'tokens'])['query']['tokens']['csrftoken'] ?? '+\\';
        $answer = $this->api(['action' => 'edit', 'title' => $title, 'text' => $text, 'token' => $token]);

        return $answer['edit']['result'] ?? $answer['error']['code'] . ': ' . $answer['error']['info'];
    }

    private function request(string $method, string $path, string $body): string
    {
        $headers = "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n";
        if ($this->cookies) {
            $headers .= 'Cookie: ' . http_build_query($this->cookies, '', '; ') . "\r\n";
        }
        $answer = file_get_contents("http://$this->address$path", false, stream_context_create(['http' => [
            'method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 60,
        ]]));
        foreach ($http_response_header ?? [] as $header) {
            if (preg_match('/^Set-Cookie: ([^=]+)=([^;]*)/i', $header, $cookie)) {
                $this->cookies[$cookie[1]] = urldecode($cookie[2]);
            }
        }

        return $answer;
    }
}
